# The Python with what the reference needs, in an ignored folder. Sourced at the root of the repository; sets `python`.
python=$PWD/.venv/reference/bin/python
[ -x "$python" ] || python3 -m venv .venv/reference
"$python" -c 'import ada_url, html5lib, idna, tinycss2' 2>/dev/null ||
    "$python" -m pip install --quiet --requirement tests/reference/requirements.txt
