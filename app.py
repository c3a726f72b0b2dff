"""The Streamlit entry: it routes to the pages and does nothing else."""

from pathlib import Path

import streamlit as st

from inference import dashboard

st.set_page_config(page_title="Sixtysix", page_icon="♥️", layout="wide")
ROOM = Path(dashboard.__file__).parent
PAGES = {"live": "Live", "review": "Review", "deals": "Deals", "players": "Players"}
st.navigation(
    [
        st.Page(ROOM / f"{name}.py", title=title, default=name == "live")
        for name, title in PAGES.items()
    ],
    position="top",
).run()
