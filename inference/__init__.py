"""Sixtysix: an exact hand-inference assistant for Sixty-Six, played with real cards."""
