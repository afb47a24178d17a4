"""What cannot be is refused in a sentence; what is merely another position plays on. A short run of the fuzz script."""

from __future__ import annotations

import numpy as np
import pytest

import alarife
from alarife.engine.errors import StateError
from alarife.engine.layout import check_ranges, undeclared
from alarife.engine.registry import find_game
from alarife.games.patios.components import Phase, Place
from fuzz_positions import BROKEN, FOREIGN, HUNG, LONG, REFUSED, SOUND, change, fuzz, try_case

GAMES = ["viva", "viana", "patios", "villa_paletti", "lisboa"]


def refusal(table, values):
    """The sentence by which a table refuses a change, which leaves it as it was."""
    before = table.to_bytes(), table.legal()
    with pytest.raises(StateError) as caught:
        table.from_dict(values)
    assert (table.to_bytes(), table.legal()) == before
    return str(caught.value)


def found(name, players, fits, options=None):
    """The first position of random games that fits."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        table = alarife.table(name, players, seed=seed, **(options or {}))
        while not table.over:
            if fits(table.state):
                return table
            table.advance(int(random.choice(table.legal())))
    raise AssertionError("no random game has such a position")


# --- VIVA -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("values", "sentence"), [
    ({"phase": "DRAWN", "drawn": -1}, "VIV-042: the card just taken is not in hand"),
    ({"phase": "VIVA"}, "VIV-050: no type is being played"),
    ({"phase": "CATCH"}, "VIV-119: another seat is to decide"),
    ({"phase": -1}, "phase goes from 0 to 6, got -1"),
    ({"drawn": 21}, "drawn goes from -1 to 20, got 21"),
    ({"todo": "NEXT_TURN"}, "a decision is due while the rules still have something to do"),
    ({"illegal": 1}, "VIV-115"),
    ({"wins": [0, 0, 0, 0, 0, 2]}, "VIV-147: a seat that is not at the table plays"),
    ({"decisions": -1}, "decisions goes from 0 to"),
])  # fmt: skip
def test_viva_at_its_first_decision(values, sentence):
    assert sentence in refusal(alarife.table("viva", 3, seed=1), values)


def test_viva_a_card_is_played_that_is_not_in_hand():
    table = alarife.table("viva", 3, seed=1)
    missing = int(np.flatnonzero(table.states["hand"][0, table.seat] == 0)[0])
    sentence = refusal(table, {"phase": "HOUSE", "kind": missing})
    assert "VIV-050: the type being played is not in hand" in sentence


def test_viva_a_negative_stack_that_the_discard_makes_up_for():
    table = alarife.table("viva", 3, seed=1)
    stack, discard = table.states["stack"][0].tolist(), table.states["discard"][0].tolist()
    size = sum(stack)
    stack[0], discard[0] = -4, discard[0] + stack[0] + 4
    assert "stack[0] goes from 0 to 6, got -4" in refusal(
        table, {"stack": stack, "discard": discard, "stack_size": sum(stack)}
    )
    assert size == table.state.stack_size


def test_viva_a_hand_that_does_not_hold_what_it_says():
    table = alarife.table("viva", 3, seed=1)
    assert "VIV-140: a hand is not as large as it says" in refusal(table, {"held": [4, 5, 5, 0, 0, 0]})


def test_viva_a_seat_that_is_out_is_to_move():
    table = found("viva", 3, lambda s: s.active.tolist()[:3].count(1) == 2)
    out = table.state.active.tolist().index(0)
    assert "VIV-142: it is the turn of a seat that is out" in refusal(table, {"seat": out, "turn_of": out})


# --- Palace of Viana ----------------------------------------------------------------------------------


def later(players=3):
    """A position of Viana after the first round, where a card is to be chosen."""
    return found("viana", players, lambda s: s.phase == 3 and s.turns >= 2 * players)


def test_viana_a_negative_bag():
    table = later()
    bag = table.states["bag"][0].tolist()
    swapped = table.states["swapped"][0].tolist()
    gone = bag[0] + 29
    bag[0] = -29
    sentence = refusal(table, {"bag": bag, "swapped": [swapped[0] + gone if swapped[0] + gone < 128 else 127,
                                                       *swapped[1:]]})  # fmt: skip
    assert "swapped[0] goes from 0 to 20" in sentence or "bag[0] goes from 0 to 20, got -29" in sentence
    assert "bag[0] goes from 0 to 20, got -29" in refusal(table, {"bag": bag})


def test_viana_a_negative_reserve():
    table = later()
    personal, common = (table.states[name][0].tolist() for name in ("personal", "common"))
    common[0][4] += personal[0][4] + 3
    personal[0][4] = -3
    assert "personal[0, 4] goes from 0 to 7, got -3" in refusal(table, {"personal": personal})


def test_viana_two_pawns_on_one_stand():
    table = later()
    pawn = table.states["pawn"][0].tolist()
    others = [p for p in range(3) if p != table.seat]
    pawn[others[0]] = pawn[others[1]] = 13 + 2 + 4  # 13 courtyards, 2 entrances, then the stands
    pawn[table.seat] = 0
    assert "VIA-112: two pawns stand on one stand" in refusal(table, {"pawn": pawn})


def test_viana_courtyards_in_reach_are_not_believed():
    table = later()
    for step in range(3):
        reach = table.states["reach"][0].tolist()
        reach[step][5] ^= 1 << 6
        assert "VIA-085: courtyards in reach are not those that doorways join" in refusal(table, {"reach": reach})


def test_viana_another_seat_than_the_active_one_is_to_decide():
    table = later()
    assert "VIA-071: another seat is to decide" in refusal(table, {"seat": (table.seat + 1) % 3})


def test_viana_the_board_stays_that_of_the_options():
    table = later()
    spots = table.states["spots"][0].tolist()
    spots[0][0] += 1
    assert "spots follows from the options" in refusal(table, {"spots": spots})


def ended(name, players):
    """A game that was played at random to its end."""
    table, random = alarife.table(name, players, seed=1), np.random.default_rng(1)
    while not table.over:
        table.advance(int(random.choice(table.legal())))
    return table


def test_viana_no_first_card_is_hidden_after_the_first_round():
    for table in (later(), ended("viana", 3)):
        missing = int(np.flatnonzero(table.states["hand"][0, 0] == 0)[0])
        assert "VIA-060: a first card is still hidden" in refusal(table, {"picked": [missing, -1, -1, -1, -1]})


def test_viana_a_card_was_sent_back_that_nobody_may_send_back():
    table = found("viana", 3, lambda s: s.phase == 3 and s.turns >= 6, {"honk": "call"})
    allowed = next(k for k in range(10) if table.states["hand"][0, table.seat, k]
                   and k not in [table.states["top"][0, q] for q in range(3) if q != table.seat])  # fmt: skip
    assert "VIA-180: a card was sent back that is not banned" in refusal(table, {"honked": allowed})


@pytest.mark.parametrize("name", ["carried_kind", "carried_from"])
def test_viana_only_the_girl_carries_flowers(name):
    assert "VIA-124: a flower is still carried" in refusal(later(), {name: 0})


# --- Patios, Villa Paletti, Lisboa ------------------------------------------------------------------------


def test_patios_a_card_is_to_be_placed_that_is_not_there():
    table = found("patios", 3, lambda s: s.phase == 3 and s.turns > 0)
    now = table.to_dict()
    now["deck"][now["held"]] += 1
    back = {"deck": now["deck"], "deck_size": now["deck_size"] + 1, "held": -1}
    assert "PAT-042: there is no flower card to place" in refusal(table, back)


def test_patios_another_seat_is_to_decide():
    table = found("patios", 3, lambda s: s.phase == 1)
    assert "PAT-030: another seat than the active one" in refusal(table, {"seat": (table.seat + 1) % 3})


def test_patios_trio_tokens_that_no_round_gave():
    table = found("patios", 3, lambda s: s.phase == 1 and s.round == 0)
    trio = [[1, 0, 0], *[[0, 0, 0]] * 4]
    assert "PAT-122: more trio tokens than rounds" in refusal(table, {"trio": trio})


@pytest.mark.parametrize("to_turn_down", [0, 1])
def test_patios_a_flamenco_dancer_has_turned_all_characters_up(to_turn_down):
    table = found("patios", 3, lambda s: s.phase == 1 and s.turns > 0 and not s.flamenco)
    sentence = refusal(table, {"flamenco": 1, "to_turn_down": to_turn_down})
    assert ("PAT-221" if to_turn_down else "PAT-159: a character lies face down") in sentence


def test_patios_a_card_in_hand_has_a_side_and_was_seen_as_it_was_taken():
    table = found("patios", 3, lambda s: s.held != -1 and s.turns > 0)
    state = table.state
    assert "PAT-040: the card in hand will lie on the wrong side" in refusal(table, {"held_up": 1 - state.held_up})
    assert "PAT-040: the card in hand is open" in refusal(table, {"held_open": 1 - state.held_open})


def test_patios_the_neighbour_stays_out_of_the_playground():
    table = found("patios", 3, lambda s: s.phase == 1, {"playground": True})
    face_up = table.states["face_up"][0].tolist()
    face_up[7] = 1  # the Neighbour
    assert "PAT-183: the Neighbour is in the playground" in refusal(table, {"face_up": face_up})


def test_patios_no_improvement_is_in_the_playground():
    table = found("patios", 2, lambda s: s.ending and s.phase <= Phase.KEEP_UP, {"playground": True})
    waiting = [*[int(Place.STOCK)] * 6, int(Place.RETURNED)]  # one of them waits for the end of the round
    assert "PAT-183: an improvement is about where there is none" in refusal(table, {"place": waiting})


def test_patios_the_assistants_cards_go_round_from_whoever_called_him():
    table = found("patios", 4, lambda s: s.phase == Phase.DRAFT)
    callers = table.states["caller"][0].tolist()
    for caller in (-1, (callers[0] + 1) % 4):
        assert "PAT-065: another seat called the Assistant" in refusal(table, {"caller": [caller, *callers[1:]]})


def test_patios_pots_are_kept_colour_by_colour_and_dry_ones_beside_others():
    table = found("patios", 2, lambda s: s.phase == Phase.KEEP_DRY)
    chosen, kept_dry, colour = table.state.chosen, table.state.kept_dry, table.state.colour
    assert "PAT-142: a pot is kept before its colour is decided" in refusal(table, {"phase": "KEEP_UP"})
    assert "PAT-143: a pot is kept dry beside none" in refusal(table, {"chosen": 0})
    patio = table.seat
    other = next(c for c in range(24) if table.state.flowers[patio] >> c & 1 and not chosen >> c & 1
                 and table.state.card[patio, c] == colour)  # fmt: skip
    sentence = refusal(table, {"kept_dry": kept_dry | 1 << other})
    assert "PAT-142: a pot is kept before its colour is decided" in sentence


@pytest.mark.parametrize(("phase", "rounds"), [(Phase.TURN, 0), (Phase.TUB_COLOUR, 1), (Phase.KEEP_UP, 1)])
def test_patios_no_more_rounds_were_stopped_than_ended(phase, rounds):
    table = found("patios", 2, lambda s: s.phase == phase and s.round == (phase == Phase.KEEP_UP))
    assert "PAT-113: more rounds were stopped than ended" in refusal(table, {"capped": rounds + 1})
    table.from_dict({"capped": rounds})


def test_patios_discards_are_counted_no_further_than_their_field_goes():
    """Forks may remember the discards of another past as well as their own (PAT-201)."""
    most, counted = {"thrown": 34, "spent": 34, "hinted": 76}, set()
    for seed in range(4):
        table = alarife.table("patios", 3, seed=seed, max_turns_per_round=20)
        random = np.random.default_rng(seed)
        table.from_dict({name: np.full_like(table.states[name][0], value).tolist() for name, value in most.items()})
        while not table.over:
            before = table.states.copy()
            table.advance(int(random.choice(table.legal())))
            check_ranges(table.game.state, table.states)
            for name, value in most.items():
                full = (before[name] == value) & (table.states[name] == value)
                more = table.states["discard_size"] > before["discard_size"]
                if full.all() and more.all():
                    counted.add(name)
    assert counted == set(most)


@pytest.mark.parametrize("options", [{"setup": "played"}, {}])
def test_villa_paletti_nobody_has_passed_or_proposed_before_the_first_turn(options):
    table = alarife.table("villa_paletti", 2, seed=1, **options)
    assert "PAL-142: more turns were passed than have ended" in refusal(table, {"passes": 1})
    assert "PAL-110: a seat may not propose that has had no turn" in refusal(table, {"barred": [1, 0, 0, 0]})
    assert "PAL-179: " in refusal(table, {"removed": 3})
    assert "PAL-060: " in refusal(table, {"chosen": 17}) or "PAL-025: another column" in refusal(table, {"chosen": 17})


def test_villa_paletti_no_more_turns_were_passed_than_have_ended():
    table = found("villa_paletti", 3, lambda s: s.phase == 3 and s.turns == 2)
    assert "PAL-142: more turns were passed than have ended" in refusal(table, {"passes": 2})
    assert "PAL-1" not in str(table.from_dict({"passes": 1}).text())


def test_villa_paletti_caches_are_worked_out_anew():
    table = found("villa_paletti", 2, lambda s: s.phase == 3)
    state = table.states[0]
    room = state["room"].tolist()
    room[0][20] ^= 1 << 20
    assert "PAL-082: the cells of the top level" in refusal(table, {"room": room})
    assert "PAL-130: the balance of the building" in refusal(table, {"index": float(state["index"]) + 0.001})


def test_villa_paletti_numbers_that_are_none():
    table = found("villa_paletti", 2, lambda s: s.phase == 3)
    states = table.states.view(np.uint8).copy().view(table.states.dtype)
    states["excess"][0, 3] = np.nan
    with pytest.raises(StateError, match=r"excess\[3\] goes from .* got nan"):
        table.set_up(states)


def test_villa_paletti_a_column_is_chosen_that_is_locked():
    table = found("villa_paletti", 2, lambda s: s.phase == 4)
    locked = [0] * 20
    locked[table.state.chosen] = 1
    assert "PAL-" in refusal(table, {"locked": locked})


@pytest.mark.parametrize(("values", "sentence"), [
    ({"depth": 5}, "LIS-05"),
    ({"phase": "DRAW"}, "LIS-056"),
    ({"phase": "CHURCH"}, "LIS-177"),
    ({"phase": -1}, "LIS-286: no decision is due"),
    ({"round": 41}, "LIS-051: more rounds than the cards in the display allow"),
])  # fmt: skip
def test_lisboa_steps_that_wait_for_nothing(values, sentence):
    table = found("lisboa", 1, lambda s: s.phase == 1)
    assert sentence in refusal(table, values)


def test_lisboa_every_flipped_bit_returns():
    """Flipped bits of a position: refused, or played on; none makes a rule go round for ever."""
    game = find_game("lisboa")
    table = found("lisboa", 1, lambda s: s.phase == 7)
    random = np.random.default_rng(1)
    refused = 0
    for bit in random.choice(8 * table.states.nbytes, 400, replace=False):
        states = table.states.view(np.uint8).copy()
        states[bit // 8] ^= 1 << bit % 8
        twin = table.clone()
        try:
            twin.set_up(states.view(table.states.dtype))
        except StateError:
            refused += 1
            continue
        while not twin.over:
            twin.advance(int(random.choice(twin.legal())))
            check_ranges(game.state, twin.states)
    assert refused > 300


# --- all games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_field_declares_its_range(name):
    state = find_game(name).state
    assert [field for field in undeclared(state) if field.split(".")[0] not in state.prepared] == []


@pytest.mark.parametrize("name", GAMES)
def test_changed_numbers_are_refused_or_play_on(name):
    game = find_game(name)
    outcomes = [try_case(game, game.default_players, case, seed=99) for case in range(30)]
    faults = [f"{changed}: {sentence}" for changed, (outcome, sentence) in outcomes if outcome in (FOREIGN, BROKEN)]
    assert faults == []
    assert {outcome for _, (outcome, _) in outcomes} <= {REFUSED, SOUND}


def test_the_fuzz_script_counts_what_it_finds(monkeypatch):
    """In processes of their own, as the long run does it; every case is counted once."""
    counts, faults = fuzz("viva", 2, list(range(4)), seed=7)
    assert sum(counts.values()) == 4
    assert counts[HUNG] == 0
    assert faults == []
    assert LONG > 1000


def test_changes_reach_every_kind_of_field():
    table = alarife.table("villa_paletti", 2, seed=1)
    random = np.random.default_rng(0)
    names = {change(table, random)[1].name.split("[")[0] for _ in range(1500)}
    assert {"rng", "x", "contacts", "phase", "decisions", "options.sigma"} <= names
