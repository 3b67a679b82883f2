"""Writes the tables of passes and pipelines into the README: `make tables`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from torch_ttir.tools.describe import passes_table, pipelines_table


def with_tables(text: str) -> str:
    """Return the README with current tables between its markers; raises `ValueError` without."""
    for name, table in (("passes", passes_table()), ("pipelines", pipelines_table())):
        begin = re.search(rf"<!-- {name}: [^\n]*-->\n", text)
        end = text.find("<!-- end -->", begin.end()) if begin else -1
        if begin is None or end < 0:
            raise ValueError(f"the markers of the table of {name} are missing")
        text = text[: begin.end()] + table + text[end:]
    return text


def main() -> int:
    """Write the tables into the file that is named on the command line."""
    path = Path(sys.argv[1])
    path.write_text(with_tables(path.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
