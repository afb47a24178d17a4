"""The pages tell by which rules their data were made, and when these are no longer the present ones."""

import pytest

from alarife.engine.registry import find_game
from update_pages import rules_then

VIVA = find_game("viva")


@pytest.mark.parametrize(("version", "digest", "says"), [
    ("viva_v1", VIVA.digest, f"Played with the present rules, of digest `{VIVA.digest}`."),
    ("viva_v1", "0123456789abcdef", "Played with rules of digest `0123456789abcdef`, which is no longer the present "
     "one: their code was changed since. The version is still `viva_v1`."),
    ("viva_v7", VIVA.digest, "Played with `viva_v7`. The present version is `viva_v1`."),
    (None, None, "Played before such data told the digest of the rules: the rules may have been changed since."),
])  # fmt: skip
def test_a_page_says_when_its_data_are_of_older_rules(version, digest, says):
    assert rules_then(VIVA, "Played", version, digest) == says
