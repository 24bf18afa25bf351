"""Numbers of more than 32 bits in the start and the expectations of a scenario."""

from pathlib import Path

import pytest
from both_engines import ENGINES

from trutdsl.cli.app import DONE, FAILED, run

GAME = Path(__file__).parents[1] / "good" / "wide-numbers.yaml"
SCENARIO = f"""\
scenario: given
rules: [x]
variant: {GAME}
players: 2
start:
  at: deal
  dealer: 0
  variables: {{bank: 8999999999, debt: -3999999999, purse: [5000000000, 4294967296]}}
actions:
  - 0: large 2147483649
  - expect: {{variables: {{bank: 8999999999, purse: [LEFT, 4294967296], debt: -3999999999}}}}
  - 1: large 2147483650
expect:
  variables: {{purse: [LEFT, 2147483646]}}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_scenario_gives_and_expects_large_numbers(engine, tmp_path, capsys):
    path = tmp_path / "given.yaml"
    path.write_text(SCENARIO.replace("LEFT", f"{5000000000 - 2147483649}"), encoding="utf-8")
    assert run(["scenario", str(path), "--engine", engine]) == DONE
    path.write_text(SCENARIO.replace("LEFT", "2852516352"), encoding="utf-8")
    assert run(["scenario", str(path), "--engine", engine]) == FAILED
    assert "expected 2852516352, found 2852516351" in capsys.readouterr().out
