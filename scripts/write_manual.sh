#!/usr/bin/env bash
# Writes the manual page and the files that shells complete by, from the command that was built:
# after a change of a command's options. test_cli_help fails until then.
#
# `write_manual.sh [BUILD]`
set -euo pipefail
cd "$(dirname "$0")/.."
graze=${1:-build}/graze
"$graze" help --man >cli/graze.1
"$graze" help --completion bash >cli/completion/graze.bash
"$graze" help --completion zsh >cli/completion/_graze
"$graze" help --completion fish >cli/completion/graze.fish
