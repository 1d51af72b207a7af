"""Writes the headers of a future version into a folder, in which every structure and every row that may grow has grown by 32 KiB.

    python3 grown.py include FOLDER

Programs that are compiled with them run with the library as it is: a newer header, an older library.
"""

import pathlib
import re
import shutil
import sys

include, folder = map(pathlib.Path, sys.argv[1:])
shutil.copytree(include, folder)
grown = 0
for name in ["franking.h", "franking_tools.h"]:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    rows = re.findall(r"^static inline const (\w+) \*franking_\w+_at\(", text, re.MULTILINE)
    for match in reversed(list(re.finditer(r"typedef struct \{(.*?)\n\} (franking_\w+);", text, re.DOTALL))):
        if re.search(r"\n    size_t size;", match[1]) or match[2] in rows:
            text = text[: match.end(1)] + "\n    uint8_t grown[32768];" + text[match.end(1) :]
            grown += 1
    path.write_text(text, encoding="utf-8")
assert grown >= 21, grown
