"""Drive the pages without a browser: buttons by their keys, and what the page says."""

import re
from html import unescape

from streamlit.testing.v1 import AppTest

from inference.dashboard.desk import DOUBLE
from inference.paths import app_file
from inference.store import Store


def opened(**params: str) -> AppTest:
    """Open the page at an address."""
    page = AppTest.from_file(str(app_file()), default_timeout=60)
    for key, text in params.items():
        page.query_params[key] = text
    return run(page)


def run(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception, page.exception
    return page


def press(page: AppTest, *keys: str) -> AppTest:
    """Press buttons one after the other, slowly enough to be no double taps."""
    for key in keys:
        page.session_state["desk"].tapped_at -= DOUBLE
        page.button(key=key).click()
        run(page)
    return page


def card_key(name: str) -> str:
    return f"card-{name[1]}-{name[0]}"


def tap(page: AppTest, *names: str) -> AppTest:
    """Tap cards on the pad."""
    return press(page, *map(card_key, names))


def enter(page: AppTest, *events: str) -> AppTest:
    """Enter events as a player would: by a card, by 20/40 and a card, or by a button."""
    deeds = {"x": "do-EXCHANGE", "c": "do-CLOSE", "!": "do-CLAIM"}
    for text in events:
        action = text[2:]
        if action.endswith("*"):
            press(page, "do-announce", card_key(action))
        else:
            press(page, deeds.get(action) or card_key(action.lstrip("+")))
    return page


def html(page: AppTest) -> str:
    """Return all HTML of the page but its style sheets."""
    found = "\n".join(str(one.value) for one in page.get("html"))
    return re.sub("<style>.*?</style>", "", found, flags=re.DOTALL)


def said(page: AppTest) -> str:
    """Return what the page says in HTML, without tags and variation selectors."""
    return _plain(html(page))


def _plain(text: str) -> str:
    return unescape(re.sub("<[^>]*>", "", text)).replace("\ufe0e", "")


def prompt(page: AppTest) -> str:
    found = re.search('<div class="prompt.*?</div>', html(page))
    assert found is not None
    return _plain(found[0])


def refusal(page: AppTest) -> str:
    """Return the one sentence in red; there is exactly one."""
    (found,) = page.error
    return str(found.value).replace("\ufe0e", "")


def entries(shelf: Store, page: AppTest) -> str:
    """Return the entries of the open deal as its log tells them."""
    deal = shelf.replay(str(page.query_params["g"]))
    return " ".join(map(str, deal.session.events))
