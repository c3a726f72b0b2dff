"""The Streamlit pages and widgets: the only room that knows the screen, and no line of the game."""
