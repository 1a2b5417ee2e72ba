#!/bin/sh
# Send and follow a message
# Sends a template message and watches it go QUEUED, SENT, DELIVERED, READ.
set -eu

url=${PARLEY_URL:-http://127.0.0.1:8080}
token=${PARLEY_TOKEN:-my-first-token}

# api METHOD PATH [more options of curl]
api() {
  method=$1 path=$2
  shift 2
  curl -fsS -X "$method" "$url$path" -H "Authorization: Token $token" -H 'Content-Type: application/json' "$@"
  echo
}

echo '== Send it: the answer comes when it is stored, with status QUEUED'
message=$(api POST /v2/chatapp/messages/ -d '{
  "chatapp_number": "+44 7700 900001",
  "to_chatapp_number": "+44 7700 900123",
  "type": "TEMPLATE",
  "template": {
    "template_name": "viewing_confirmed",
    "components": [{"type": "body", "parameters": [{"type": "text", "text": "Ana"}, {"type": "text", "text": "Friday"}]}]
  }
}')
printf '%s\n' "$message"
uuid=$(printf '%s' "$message" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')

echo '== Watch it'
tries=0
steps=''
while [ $tries -lt 20 ]; do
  steps=$(api GET "/v2/chatapp/messages/$uuid/status-logs/" | grep -o '"status":"[A-Z]*"' | cut -d '"' -f 4 | tr '\n' ' ')
  echo "$steps"
  case $steps in *READ*) break ;; esac
  tries=$((tries + 1))
  sleep 1
done

echo '== The whole story, each step with its time'
api GET "/v2/chatapp/messages/$uuid/status-logs/"

echo '== What the phone of the recipient shows'
api GET '/v2/sandbox/phones/447700900123/?ordering=-created&page_size=1'

echo '== The ledger: accepted = final + pending'
api GET /v2/account/ledger/

case $steps in *READ*) ;; *) exit 1 ;; esac
