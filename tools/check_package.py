"""Checks the package on a fresh installation of Python: wheel, sdist, README (`make package`).

It builds both, and checks that the source tree is unchanged. Then it installs each in a new
virtual environment, runs the commands of README.md there, and measures `import trutdsl`. A third
environment has each dependency in the oldest version that `pyproject.toml` accepts.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOUSE = re.compile(r"```yaml\n(variant: short-trut\n.*?)```", re.DOTALL)
BLOCK = re.compile(r"```\n((?:trutdsl .*\n)+)```")
ROW = re.compile(
    r"^\| `(trutdsl (?:list|show|where|diff|new|check|scenario|coverage|replay).*?)` \|", re.M
)
LINK = re.compile(r"\]\((?!https?:)")
MOST_SECONDS = 0.05  # of `import trutdsl`
EXTRAS = ("figures", "editor", "parquet", "rl", "dask")
MINIMUM = re.compile(r"([\w-]+)>=([\d.]+)")
SMALL_GAME = ROOT / "variants" / "examples" / "kuhn-poker.yaml"
ON_CLUSTER = """
import subprocess, sys
from pathlib import Path
from distributed import LocalCluster
with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
    program = Path(sys.executable).with_name("trutdsl")
    command = "tournament trut --strategies steady,caller --sets 20 --executor dask --scheduler"
    subprocess.run([program, *command.split(), cluster.scheduler_address], check=True)
"""
OLDEST = (  # what is played with the oldest versions
    "trutdsl --help",
    "trutdsl tournament --help",
    "trutdsl check trut --no-cache",
    "trutdsl simulate trut --matches 100",
    "trutdsl tournament trut --strategies steady,caller --sets 20 --seed 1 --out run --parquet",
    "trutdsl compare trut truc-catalan --sets 10 --seed 1 --out compared",
    "trutdsl report run -o run.html --lang fr",
    "trutdsl report compared -o compared.html",
    f"trutdsl exact {SMALL_GAME}",
    f"trutdsl solve {SMALL_GAME} -o small.policy",
    "python -c 'import trutdsl.editor.server'",
    "python -c 'from trutdsl.learning.zoo import env; env(\"trut\", 2).reset(seed=1)'",
    "python -c 'from trutdsl.learning.vector import SideBySide; SideBySide(\"trut\", 2).reset()'",
    f"python -c '{ON_CLUSTER}'",
)


def run_program(*words: str | Path, cwd: Path) -> str:
    """Run a program and return what it prints; end with its output if it fails."""
    done = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def new_environment(place: Path, *packages: str | Path) -> Path:
    """Return the folder of programs of a new virtual environment with these packages."""
    run_program(sys.executable, "-m", "venv", place, cwd=place.parent)
    run_program(place / "bin" / "pip", "install", "--quiet", *packages, cwd=place.parent)
    return place / "bin"


def check_build(folder: Path) -> tuple[Path, Path]:
    """Build wheel and sdist; return their paths."""
    before = run_program("git", "status", "--short", "--ignored", cwd=ROOT)
    build = new_environment(folder / "build", "build")
    run_program(build / "python", "-m", "build", "--outdir", folder / "dist", ROOT, cwd=folder)
    assert run_program("git", "status", "--short", "--ignored", cwd=ROOT) == before, (
        "the tree is changed"
    )
    (wheel,), (sdist,) = ((folder / "dist").glob(f"*{end}") for end in (".whl", ".tar.gz"))
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        assert "trutdsl/syntax/rules.tables" in names, "the parser's tables are missing"
        (about,) = [name for name in names if name.endswith("METADATA")]
        assert not LINK.search(packed.read(about).decode()), "the README has relative links"
    return wheel, sdist


def check_commands(programs: Path, folder: Path, readme: str, tree: Path | None) -> int:
    """Run the README's commands in a folder; return their number."""
    folder.mkdir()
    house = HOUSE.search(readme)
    assert house, "the README has a house rule"
    for name in ("short-trut", "my-house"):
        text = house[1].replace("short-trut", name)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    if tree is not None:
        (folder / "tests").symlink_to(tree / "tests")
    commands = [line for block in BLOCK.findall(readme) for line in block.splitlines()]
    commands += ROW.findall(readme)
    done = 0
    for command in commands:
        words = command.split()
        if words[1] in ("new", "replay") or ("tests/" in command and tree is None):
            continue  # `new` would overwrite my-house; `replay` needs a transcript
        run_program(programs / words[0], *words[1:], cwd=folder)
        print("   ", command)
        done += 1
    return done


def import_seconds(programs: Path) -> float:
    """Return the time of `import trutdsl`, the best of five."""
    code = "import time; t = time.perf_counter(); import trutdsl; print(time.perf_counter() - t)"
    return min(
        float(run_program(programs / "python", "-c", code, cwd=ROOT.parent)) for _ in range(5)
    )


def oldest_versions() -> list[str]:
    """Return each dependency of the program and of `EXTRAS` in its oldest version."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    optional = project["optional-dependencies"]
    named = [*project["dependencies"], *(one for extra in EXTRAS for one in optional[extra])]
    minima = [MINIMUM.match(one) for one in named]
    assert all(minima), "a dependency has no minimum"
    return [f"{found[1]}=={found[2]}" for found in minima if found]


def check_oldest(wheel: Path, folder: Path) -> None:
    """Run some commands with the oldest version of each dependency."""
    versions = oldest_versions()
    extras = ",".join(EXTRAS)
    programs = new_environment(folder / "oldest", f"{wheel}[{extras}]", *versions)
    used = folder / "used-oldest"
    used.mkdir()
    for command in OLDEST:
        program, *words = shlex.split(command)
        run_program(programs / program, *words, cwd=used)
        print("   ", command)
    print(f"oldest versions: {', '.join(versions)}")


def main() -> None:
    """Check both packages, and print the results."""
    with tempfile.TemporaryDirectory(prefix="trutdsl-package-") as name:
        folder = Path(name)
        wheel, sdist = check_build(folder)
        with tarfile.open(sdist) as packed:
            packed.extractall(folder, filter="data")
        tree = folder / sdist.name.removesuffix(".tar.gz")
        readme = (tree / "README.md").read_text(encoding="utf-8")
        for what, package, files in (("wheel", wheel, None), ("sdist", tree, tree)):
            programs = new_environment(folder / what, f"{package}[figures]")
            seconds = import_seconds(programs)
            assert seconds < MOST_SECONDS, f"import trutdsl takes {seconds:.3f} s"
            many = check_commands(programs, folder / f"used-{what}", readme, files)
            print(f"{what}: {package.name}, import {seconds:.3f} s, {many} commands of README.md")
        check_oldest(wheel, folder)


if __name__ == "__main__":
    main()
