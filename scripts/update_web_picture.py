"""Draw the animated picture of the front page: a few turns at the table in the browser. Runs in .venv-browser.

With the folder of ``test_browser.py --shots`` as argument, screens of it are made small for docs/web.md, too.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from setup_venv import ROOT, ready, run
from test_browser import chromium

PICTURE = ROOT / "docs" / "pictures" / "table.webp"
GAME = ["viana", "--players", "3", "--with", "trained", "--seed", "11"]
SIZE = {"width": 1180, "height": 700}
SHOWN = 800, 475  # pixels, so that the file stays small
SCREENS = {
    "lobby-desktop-light": 640, "analysis": 760, "branch": 640, "end-viana-2": 640, "table-moves-phone-dark": 280,
    "table-why-phone-light": 280, "game-villa_paletti-4-desktop-light": 640, "game-lisboa-1-desktop-light": 760,
    "game-patios-5-desktop-light": 640,
}  # fmt: skip
TURNS, SECONDS = 6, 1.6
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
DUE = """(n) => {
  const app = document.getElementById('app').dataset;
  return app.mine === 'true' && Number(app.n) !== n;
}"""


def main() -> None:
    """Serve a game, play some turns as the agent advises, and keep what is seen."""
    if "--here" not in sys.argv:
        os.environ["ALARIFE_CHROMIUM"] = chromium() or sys.exit("there is no Chromium here")
        run(ready("browser-test", ".venv-browser"), __file__, "--here", *sys.argv[1:])
        return
    for folder in sys.argv[2:]:
        screens(Path(folder))
    server = subprocess.Popen([sys.executable, "-m", "alarife", "serve", *GAME, "--no-open"],
                              stdout=subprocess.PIPE, text=True, cwd=ROOT)  # fmt: skip
    assert server.stdout is not None
    try:
        write(frames_of(server.stdout.readline().strip()))
    finally:
        server.terminate()
        server.wait()


def screens(folder: Path) -> None:
    """Some screens, small."""
    from PIL import Image

    for name, width in SCREENS.items():
        picture = Image.open(folder / f"{name}.png").convert("RGB")
        picture.thumbnail((width, 2 * width), Image.Resampling.LANCZOS)
        path = PICTURE.with_name(f"{name}.webp")
        picture.save(path, quality=55, method=4)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} KB")


def frames_of(address: str) -> list[bytes]:
    """Pictures of the page while a game is played."""
    from playwright.sync_api import sync_playwright

    frames = []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=os.environ["ALARIFE_CHROMIUM"], args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(300_000)
        page.goto(address)
        number = -1
        for turn in range(TURNS):
            page.wait_for_function(DUE, arg=number)
            number = int(page.get_attribute("#app", "data-n") or 0)
            if turn >= TURNS - 2:
                page.click("#tab-why")
                page.wait_for_selector(".thought")
            frames.append(page.screenshot())
            if turn >= TURNS - 2:
                page.click("#tab-moves")
            page.keyboard.press("h")
            page.wait_for_selector(".hinted")
            frames.append(page.screenshot())
            page.click(".choices .hinted")
        browser.close()
    return frames


def write(frames: list[bytes]) -> Path:
    """One file with all of them."""
    from PIL import Image

    pictures = [
        Image.open(io.BytesIO(frame)).convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS) for frame in frames
    ]
    PICTURE.parent.mkdir(exist_ok=True)
    pictures[0].save(PICTURE, save_all=True, append_images=pictures[1:], duration=int(1000 * SECONDS), loop=0,
                     quality=34, method=4)  # fmt: skip
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1000:.0f} KB, {len(pictures)} pictures")
    return PICTURE


if __name__ == "__main__":
    main()
