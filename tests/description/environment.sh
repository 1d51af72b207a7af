# Makes the virtual environment of the tools that read the description, if it is missing or has other packages. Sets `bin`.
# Source this file.

description_environment() {
    local root list folder
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    list=$root/tests/description/requirements.txt
    folder=${CARGO_TARGET_DIR:-$root/target}/description-tests
    bin=$folder/venv/bin
    cmp --quiet "$list" "$folder/installed.txt" && return
    rm -rf "$folder/venv"
    mkdir -p "$folder"
    "${PYTHON:-python3}" -m venv "$folder/venv"
    "$bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$list"
    cp "$list" "$folder/installed.txt"
}
