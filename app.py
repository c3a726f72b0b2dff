"""The Streamlit entry: it routes to the pages and does nothing else."""

from pathlib import Path

import streamlit as st

from inference import dashboard

st.set_page_config(page_title="Sixtysix", page_icon="♥️", layout="wide")
ROOM = Path(dashboard.__file__).parent
st.navigation([st.Page(ROOM / "live.py", title="Live", default=True)], position="top").run()
