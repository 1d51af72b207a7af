"""The script of axe-core, which judges accessibility: taken once out of a wheel."""

import os
import pathlib
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = "axe_playwright_python/axe.min.js"


def script():
    """The text of the script. The wheel's dependencies are not installed, because they drive a browser of their own."""
    wanted = (HERE / "requirements.txt").read_text(encoding="utf-8")
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "desk-tests"
    mark = folder / "requirements.txt"
    if not mark.exists() or mark.read_text(encoding="utf-8") != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.whl"):
            old.unlink()
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*command, "--dest", folder, "--requirement", HERE / "requirements.txt"], check=True)
        mark.write_text(wanted, encoding="utf-8")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        return files.read(NAME).decode()
