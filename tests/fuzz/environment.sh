# The Python interpreter with the packages of the reference, in an ignored folder. Source this file at the root of the
# repository; it sets `python`.
python=$PWD/.venv/reference/bin/python
[ -x "$python" ] || python3 -m venv .venv/reference
"$python" -c 'import ada_url, cffi, html5lib, idna, tinycss2' 2>/dev/null ||
    "$python" -m pip install --quiet --requirement tests/reference/requirements.txt
