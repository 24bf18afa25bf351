"""Plays matches as a batch and one by one, and summarizes what a seat observes in both."""

import numpy as np

from trutdsl.game import HIDDEN, DealStart
from trutdsl.ir.types import Kind
from trutdsl.native.play.batch import Batch
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream, luck_start, mix_in, strategy_key
from trutdsl.table.match import action_of, passages_of
from trutdsl.table.sight import bits_in, reading_of

COUNT, SEED = 5, 5


def side_by_side(game, first, most=10**9, scripts=None):
    """Play a batch and the same matches one by one, at random.

    scripts: seat -> the script that plays it.
    Yields at each step the batch, the matches that wait for an answer, and all matches.
    """
    scripts = scripts or {}
    table = table_for(game, tuple(dict.fromkeys(scripts.values())))
    code = table.compiled_game if scripts else game
    names = {seat: spec.name for seat, spec in scripts.items()}
    batch = Batch(code.steps, SEED, first, COUNT, names)
    matches = range(first, first + COUNT)
    states = [table.game.start(SEED, match) for match in matches]
    players = [
        {
            seat: table.player(spec, state, seat, stream_of(spec, match, seat))
            for seat, spec in scripts.items()
        }
        for match, state in zip(matches, states, strict=True)
    ]
    random = Stream(mix_in(0, first))
    for _ in range(most):
        for state, own in zip(states, players, strict=True):
            while go_on_without(state, own):
                pass
        waiting = [state for state in states if state.pending is not None]
        yield batch, waiting, states
        if not waiting:
            return
        answers = []
        for state in waiting:
            index = random.below(len(state.pending.actions))
            answers.append(state.legal[index])
            state.apply(index)
        batch.answer(np.array(answers))


def stream_of(spec, match, seat):
    """Return the stream of a script in a match."""
    return Stream(luck_start(strategy_key(SEED, spec.name), match, seat))


def go_on_without(state, players):
    """Begin a deal, or let a script answer; return false if neither is due."""
    if isinstance(state.pending, DealStart):
        state.next_deal()
    elif state.pending is not None and state.pending.seat in players:
        state.apply(players[state.pending.seat].choose(state.pending))
    else:
        return False
    return True


def summarize_view(state, view):
    """Return what a view shows, in the form of `summarize_row`."""
    whole = {name: getattr(view, name) for name in ("seat", "deal", "dealer", "leader")}
    variables = {**view.variables, **view.counters}
    history = [(said.seat, said.decision, said.action) for said in view.history]
    places = {n: tuple(p) for n, p in [*view.zones.items(), *variables.items()]}
    decision = (state.pending.number, state.legal)
    return whole, places, dict(view.sizes), decision, history


def summarize_row(seen, history, row, game):
    """Return what an observation of a batch shows of one match, in the words of a view."""
    program, texts, plans = game.program, game.deck.texts, game.plans
    passages = passages_of(game.steps.unit.layout.routes, program, game.setting)
    places = {}
    for name, zone in program.zones.items():
        if zone.ordered:
            cards = [[int(c) for c in place if c >= 0] for place in seen.orders[name][row]]
            assert [sum(1 << c for c in place) for place in cards] == list(seen.zones[name][row])
        else:
            cards = [bits_in(int(mask)) for mask in seen.zones[name][row]]
        places[name] = [tuple(texts[c] for c in place) for place in cards]
    for name, variable in program.variables.items():
        reading = reading_of(variable.type, game.setting)
        places[name] = [reading.value(int(v)) for v in seen.variables[name][row]]
    shown = {
        name: tuple(
            v if may else HIDDEN for v, may in zip(values, seen.seen[name][row], strict=True)
        )
        for name, values in places.items()
    }
    whole = {name: int(getattr(seen, name)[row]) for name in ("seat", "deal", "dealer", "leader")}
    sizes = {name: tuple(map(int, values[row])) for name, values in seen.sizes.items()}
    words = "".join(f"{int(word):064b}"[::-1] for word in seen.legal[row])
    legal = tuple(number for number, bit in enumerate(words) if bit == "1")
    said = []
    announced = game.steps.unit.layout.announcements
    for seat, asked, number in history[row]:
        if asked >= len(plans) + len(announced):
            passage = passages[asked - len(plans) - len(announced)]
            cards = [texts[card] for card in bits_in(int(number) & 2**64 - 1)]
            what = " ".join(cards) if passage.seen else f"{number} card{'' if number == 1 else 's'}"
            if program.zones[passage.zone].index is Kind.SEAT:
                said.append((int(seat), passage.zone, f"{what} to {passage.to}"))
            else:
                said.append((-1, passage.zone, f"{what} from team {seat} to team {passage.to}"))
        elif asked >= len(plans):
            words, type_ = announced[asked - len(plans)]
            text = reading_of(type_, game.setting).text(int(number))
            said.append((int(seat), words, text))
        elif seat >= 0:
            plan = plans[asked]
            which = plan.option_of(number)
            values = plan.options[which].values(int(number))
            action = action_of(game.setting, plan.node.options[which], which, values)
            said.append((int(seat), plan.node.decision, action.text))
    return whole, shown, sizes, (int(seen.decision[row]), legal), said
