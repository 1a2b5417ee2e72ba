# The message of the README's quick start, sent to a server and followed until it was read. Sourced by run.sh.

# until_true SECONDS WHAT COMMAND…
until_true() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || { echo "In vain waited for $what." >&2; return 1; }
    sleep 0.2
  done
}

api() {
  curl -fsS -m 10 -H "Authorization: Token $token" -H 'Content-Type: application/json' "$@"
}

status_is() {
  api "$1" | grep -q "\"status\":\"$2\""
}

# message_read URL: waits for the server, sends, and waits for READ.
message_read() {
  local url=$1 answer uuid
  until_true 180 "$url/readyz" curl -fsS -m 5 "$url/readyz" || return
  echo "ready after $((SECONDS - started)) s"
  answer=$(api "$url/v2/chatapp/messages/" -d '{"chatapp_number": "+44 7700 900001", "to_chatapp_number": "+44 7700 900123",
    "type": "TEMPLATE", "template": {"template_name": "welcome"}}') || return
  uuid=$(grep -o '"uuid":"[^"]*"' <<<"$answer" | head -1 | cut -d'"' -f4)
  until_true 60 'the message to be read' status_is "$url/v2/chatapp/messages/$uuid/" READ || return
  echo "message $uuid is READ after $((SECONDS - started)) s"
}
