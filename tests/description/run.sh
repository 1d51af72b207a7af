#!/usr/bin/env bash
# Checks that the description is valid OpenAPI 3.1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# shellcheck source=tests/description/environment.sh
source tests/description/environment.sh
description_environment
"$bin/openapi-spec-validator" --schema 3.1 docs/openapi.json >/dev/null
