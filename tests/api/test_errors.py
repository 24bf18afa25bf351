"""A wrong call raises a subclass of `trutdsl.Error`, whatever is wrong."""

import pytest

import trutdsl

GAME = trutdsl.load_game("trut", 2)
CALLS = {
    "unknown variant": lambda: trutdsl.load_game("nothing"),
    "number of players": lambda: trutdsl.load_game("trut", 17),
    "value of a parameter": lambda: trutdsl.load_game("trut", 2, {"goal": -1}),
    "unknown engine": lambda: trutdsl.load_game("trut", 2, {}, "fast"),
    "unknown strategy": lambda: trutdsl.load_strategy("nobody"),
    "no run": lambda: trutdsl.load_run("nowhere"),
    "one variant": lambda: trutdsl.compare("trut"),
    "strategy of a tournament": lambda: trutdsl.tournament("trut", ["nobody"]),
    "parameter of a sweep": lambda: trutdsl.sweep("trut", {"nothing": [1]}),
    "one strategy": lambda: trutdsl.exact("trut", ["steady"]),
    "best play of nothing": lambda: trutdsl.best_play("trut"),
    "no transcript": lambda: trutdsl.replay("nowhere"),
    "no scenarios": lambda: trutdsl.run_scenarios("nowhere"),
    "unknown variant of a difference": lambda: trutdsl.diff("trut", "nothing"),
    "name of a shipped variant": lambda: trutdsl.new_variant("trut"),
    "negative matches": lambda: trutdsl.simulate("trut", ["steady", "steady"], matches=-1),
    "strategy of a batch": lambda: trutdsl.start_batch(GAME, 2, opponents={1: "nobody"}),
}


@pytest.mark.parametrize("what", CALLS)
def test_a_wrong_call_raises_an_error_of_trutdsl(what):
    with pytest.raises(trutdsl.Error) as raised:
        CALLS[what]()
    assert str(raised.value).strip()


def test_every_public_exception_is_an_error_of_trutdsl():
    public = [getattr(trutdsl, name) for name in trutdsl.__all__]
    exceptions = {one for one in public if isinstance(one, type) and issubclass(one, BaseException)}
    assert {trutdsl.BadUsage, trutdsl.Rejected, trutdsl.Failure} < exceptions
    assert all(issubclass(one, trutdsl.Error) for one in exceptions)
