"""Decisions as data: what is decided in each phase, what may be chosen, and what each choice does.

    DECISIONS = Decisions(
        ACTIONS,
        Decision(Phase.TURN, "a type, or draw", offer_turn, play_type=start_play, draw=take_card),
        Decision(Phase.HOUSE, "the house for the first copy", offer_houses, house=place),
    )
    legal, choose = DECISIONS.legal, DECISIONS.choose

``offer_turn(s, moves)`` offers the legal actions of a phase. What a choice does is a rule that takes the state and the
parameters of its family: ``place(s, house)``. What does not fit together is told when the game is imported.
"""

from __future__ import annotations

import dis
import enum
import itertools
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .errors import AlarifeError, nearest
from .jit import rule
from .layout import Actions

Rule = Callable[..., Any]
Phase = enum.IntEnum | None
WHO = "the player whose turn it is"


class Decision:
    """One row of the table: in this phase, that is decided, by those actions.

    - ``phase``: a member of the game's enum of phases; None in a game that knows one decision only
    - ``words``: what is decided, as displays and pages say it: ``a type, a blocking card, or draw``
    - ``offer(s, moves)``: the rule that offers what is legal
    - ``who``: who decides, in words; ``rules``: the ids that say so, as the pages print them
    - one rule for each family of actions that is offered, by the family's name
    """

    def __init__(
        self,
        phase: enum.IntEnum | None,
        words: str,
        offer: Rule,
        /,
        *,
        who: str = WHO,
        rules: str = "",
        **choices: Rule,
    ) -> None:
        self.phase, self.words, self.offer, self.who, self.rules, self.choices = (
            phase,
            words,
            offer,
            who,
            rules,
            choices,
        )

    @property
    def name(self) -> str:
        """The phase's name, as sentences and pages tell it."""
        return "the decision" if self.phase is None else self.phase.name

    @property
    def number(self) -> int:
        """The phase's number."""
        return 0 if self.phase is None else int(self.phase)


class Decisions:
    """The table of a game's decisions, and the two rules that follow from it: `legal` and `choose`.

    ``phases`` names the phases in which something is decided, where these are not all of the enum.
    """

    def __init__(self, actions: Actions, *rows: Decision, phases: Sequence[enum.IntEnum] | None = None) -> None:
        self.actions, self.rows = actions, sorted(rows, key=lambda row: row.number)
        self._check(phases)
        self.legal = _offers(self.rows)
        self.choose = _choices(actions, self.rows)

    def at(self, state: Any) -> Decision:
        """The decision that is due."""
        phase = int(state.phase) if len(self.rows) > 1 else self.rows[0].number
        return next(row for row in self.rows if row.number == phase)

    def known(self, states: Any) -> Any:
        """For each of the states, which actions have a rule in its phase: a row of truths by action."""
        having = np.zeros((max(row.number for row in self.rows) + 1, self.actions.size), np.bool_)
        for row in self.rows:
            for family in row.choices:
                having[row.number, self.actions.span(family)] = True
        phases = states["phase"] if len(self.rows) > 1 else np.full(len(states), self.rows[0].number)
        return having[phases]

    def words(self, state: Any) -> str:
        """What is being decided."""
        return self.at(state).words

    def table(self) -> list[tuple[str, str, str, str, str]]:
        """Rows for the pages: phase, what is decided, who decides, what may be chosen, the ids of the rules."""
        return [(row.name.lower().replace("_", " "), row.words, row.who, ", ".join(row.choices), row.rules or "-")
                for row in self.rows]  # fmt: skip

    # --- what does not fit, when the game is imported ---------------------------------------------------

    def _check(self, phases: Sequence[enum.IntEnum] | None) -> None:
        if not self.rows:
            raise AlarifeError("a game needs a decision, got an empty table")
        for row in self.rows:
            self._check_row(row)
        self._check_phases(phases)
        carried_out = {family for row in self.rows for family in row.choices}
        if unused := [family for family in self.actions.families if family not in carried_out]:
            raise AlarifeError(f"no decision carries out {', '.join(unused)}")

    def _check_row(self, row: Decision) -> None:
        for family in row.choices:
            if family not in self.actions.families:
                raise AlarifeError(f"{row.name}: no actions called {family}{nearest(family, self.actions.families)}")
        if not row.choices:
            raise AlarifeError(f"{row.name}: nothing may be chosen")
        if not row.words:
            raise AlarifeError(f"{row.name}: say in words what is decided")
        offered = offered_families(row.offer, self.actions)
        if offered is None:
            return
        if missing := sorted(offered - row.choices.keys()):
            raise AlarifeError(f"{row.name}: {', '.join(missing)} may be offered, and nothing says what it does")
        if offered and (idle := [family for family in row.choices if family not in offered]):
            raise AlarifeError(f"{row.name}: {', '.join(idle)} is never offered there")

    def _check_phases(self, phases: Sequence[enum.IntEnum] | None) -> None:
        given = [row.phase for row in self.rows]
        if len(given) == 1 and given[0] is None:
            return
        for row, following in itertools.pairwise(self.rows):
            if row.phase is None or following.phase is None:
                raise AlarifeError("only a game with one decision leaves its phase out")
            if row.phase == following.phase:
                raise AlarifeError(f"{row.name} stands twice in the table of decisions")
        wanted = list(type(given[0])) if phases is None else phases  # type: ignore[arg-type]
        if missing := [phase.name for phase in wanted if phase not in given]:
            raise AlarifeError(f"nothing is decided in {', '.join(missing)}")


def offered_families(offer: Rule, actions: Actions) -> set[str] | None:
    """The families of actions that a rule and those that it calls may offer, as far as their code names them.

    A rule that offers actions by their numbers says so, ``offer_choices.families = None``; then nobody knows.
    """
    if getattr(offer, "families", actions) is None:
        return None
    found: set[str] = set()
    for function in _called(offer):
        steps = list(dis.get_instructions(function))
        for step, following in itertools.pairwise(steps):
            thing = _meant(function, step)
            if thing is actions.start and following.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                found.add(following.argval)
        for thing in _things(function):
            if isinstance(thing, types.FunctionType) and getattr(thing, "actions", None) is actions:
                found.add(thing.family)  # type: ignore[attr-defined]
    return found & actions.families.keys()


def _called(function: Rule) -> Iterator[types.FunctionType]:
    """A rule and all the rules that it may call, each once."""
    seen: set[int] = set()
    todo: list[Any] = [function]
    while todo:
        function = todo.pop()
        if not isinstance(function, types.FunctionType) or id(function) in seen:
            continue
        seen.add(id(function))
        yield function
        todo.extend(_things(function))


def _things(function: types.FunctionType) -> list[Any]:
    """What a function's code names: globals and what it closes over."""
    names = [step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"]
    closed = [cell.cell_contents for cell in function.__closure__ or ()]
    return [function.__globals__[name] for name in names if name in function.__globals__] + closed


def _meant(function: types.FunctionType, step: dis.Instruction) -> Any:
    if step.opname == "LOAD_GLOBAL":
        return function.__globals__.get(step.argval)
    if step.opname == "LOAD_DEREF" and step.argval in function.__code__.co_freevars:
        return (function.__closure__ or ())[function.__code__.co_freevars.index(step.argval)].cell_contents
    return None


# --- the rules that follow from the table -----------------------------------------------------------


def _offers(rows: Sequence[Decision]) -> Rule:
    """The rule that offers what is legal in the phase that the state is in."""
    return _in_phase([row.number for row in rows], [row.offer for row in rows])


def _choices(actions: Actions, rows: Sequence[Decision]) -> Rule:
    """The rule that does what an action does: by family first, for most families do the same in every phase."""
    made = {family: _choice_by_phase(actions, family, rows) for family in actions.families}
    return _by_action(actions, made)


def _choice_by_phase(actions: Actions, family: str, rows: Sequence[Decision]) -> Rule:
    """What the actions of one family do: the same everywhere, or by phase."""
    having = [row for row in rows if family in row.choices]
    decoded = {row.choices[family]: _with_parameters(actions, family, row.choices[family]) for row in having}
    return _in_phase([row.number for row in having], [decoded[row.choices[family]] for row in having])


def _in_phase(phases: Sequence[int], rules: Sequence[Rule]) -> Rule:
    """Run as ``run(s, x)`` that one of the rules which stands for the phase of the state."""
    if all(made is rules[0] for made in rules):
        return rules[0]
    run = by_number(phases, rules)

    @rule
    def run_by_phase(s, x):  # type: ignore[no-untyped-def]
        return run(s.phase, s, x)

    return run_by_phase


def by_number(numbers: Sequence[int], rules: Sequence[Rule]) -> Rule:
    """Run as ``run(number, s, x)`` that one of the rules which stands for the number: a tree of comparisons.

    What the rule returns is returned. Numbers ascend; one that is not among them counts as the nearest below.
    """
    if all(made is rules[0] for made in rules):
        only = rules[0]
        return rule(lambda number, s, x: only(s, x))
    half = len(rules) // 2
    border = int(numbers[half])
    below, above = by_number(numbers[:half], rules[:half]), by_number(numbers[half:], rules[half:])

    @rule
    def run(number, s, x):  # type: ignore[no-untyped-def]
        if number < border:
            return below(number, s, x)
        return above(number, s, x)

    return run


def _by_action(actions: Actions, rules: dict[str, Rule]) -> Rule:
    """Run as ``run(s, action)`` the rule of the family that the action belongs to."""
    families = sorted(rules, key=lambda family: actions.span(family).start)
    run = by_number([actions.span(family).start for family in families], [rules[family] for family in families])
    return rule(lambda s, action: run(action, s, action))


def by_family(actions: Actions, **rules: Rule) -> Rule:
    """A rule of the state and an action, out of one for each family that takes the state and its parameters.

    The scripted player's ``worth(s, action)``, say: ``by_family(ACTIONS, house=worth_of_house, draw=worth_of_draw)``.
    """
    for family in rules:
        if family not in actions.families:
            raise AlarifeError(f"no actions called {family}{nearest(family, actions.families)}")
    if missing := [family for family in actions.families if family not in rules]:
        raise AlarifeError(f"no rule for the actions {', '.join(missing)}")
    return _by_action(actions, {family: _with_parameters(actions, family, made) for family, made in rules.items()})


def _with_parameters(actions: Actions, family: str, choice: Rule) -> Rule:
    """The choice's rule, called with the parameters that the action stands for."""
    start, sizes = actions.span(family).start, tuple(actions.families[family].parameters.values())
    if not sizes:
        return rule(lambda s, action: choice(s))
    if len(sizes) == 1:
        return rule(lambda s, action: choice(s, action - start))
    if len(sizes) == 2:
        second = sizes[1]
        return rule(lambda s, action: choice(s, (action - start) // second, (action - start) % second))
    if len(sizes) == 3:
        second, third = sizes[1:]
        return rule(lambda s, action: choice(s, (action - start) // (second * third),
                                             (action - start) // third % second, (action - start) % third))  # fmt: skip
    raise AlarifeError(f"{family} has {len(sizes)} parameters; a choice takes up to three")


# --- advice -------------------------------------------------------------------------------------------


def always(worth: float) -> Rule:
    """A worth that depends on nothing, for `by_family`."""
    return rule(lambda s, *values: worth)


def best_by(worth: Rule) -> Rule:
    """The scripted player that takes the legal action of most ``worth(s, action)``, the first one among equals."""

    @rule
    def advise(s, moves):  # type: ignore[no-untyped-def]
        best = moves.at[0]
        if moves.count == 1:
            return best
        most = worth(s, best)
        for i in range(1, moves.count):
            value = worth(s, moves.at[i])
            if value > most:
                best = moves.at[i]
                most = value
        return best

    return advise


def by_phase(advice: dict[Any, Rule]) -> Rule:
    """The scripted player that follows in each phase that phase's ``rule(s, moves)``, and plays a lone legal action."""
    phases = type(next(iter(advice)))
    if missing := [phase.name for phase in phases if phase not in advice]:
        raise AlarifeError(f"no advice for the phases {', '.join(missing)}")
    run = by_number(sorted(advice), [advice[phase] for phase in sorted(advice)])

    @rule
    def advise(s, moves):  # type: ignore[no-untyped-def]
        if moves.count == 1:
            return moves.at[0]
        return run(s.phase, s, moves)

    return advise
