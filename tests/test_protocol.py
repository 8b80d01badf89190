"""The page's types are those of the kernel."""

from pathlib import Path

from mswidget.widget.typescript import COMMAND, declarations

DECLARATIONS = Path(__file__).parents[1] / "js" / "src" / "protocol.d.ts"


def test_the_page_compiles_against_the_kernels_protocol():
    written = DECLARATIONS.read_text(encoding="utf-8")
    assert written == declarations(), f"stale: run `{COMMAND}`"
