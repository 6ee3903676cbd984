#!/bin/sh
# The memory of an agent with nothing but curl.
#
#     keepsake agents add shell --json          # prints the token
#     keepsake serve                            # or open the window
#     KEEPSAKE_TOKEN=… sh with_curl.sh
set -eu
url="${KEEPSAKE_URL:-http://127.0.0.1:8377}/api/v1"

ask() { # ask METHOD PATH [BODY]
  curl --silent --show-error --fail-with-body --request "$1" "$url/$2" \
    --header "Authorization: Bearer $KEEPSAKE_TOKEN" \
    --header "Content-Type: application/json" ${3:+--data "$3"}
  echo
}

ask POST memory/entries '{"key": "backup_day", "content": "Backups run on Sundays at four."}'
ask POST memory/recall '{"query": "when do backups run?", "limit": 3}'
ask POST memory/hydrate '{}'
