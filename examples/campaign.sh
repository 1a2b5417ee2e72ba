#!/bin/sh
# A campaign by SMS
# Three contacts on a list, one of them opted out, a text with a placeholder. The counters tell what became of each. The
# telephones are in the sandbox.
set -eu

url=${PARLEY_URL:-http://127.0.0.1:8080}
token=${PARLEY_TOKEN:-my-first-token}
run=$$
ana="+4477114$(printf %04d "$((run % 10000))")1"
ben="${ana%1}2"
zoe="${ana%1}3"

# api METHOD PATH [BODY]
api() {
  curl -fsS -X "$1" "$url$2" -H "Authorization: Token $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
  echo
}
# field NAME: the first value of that name in the JSON on the input
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

echo '== Three contacts on a list'
contacts=''
for person in "Ana $ana" "Ben $ben" "Zoë $zoe"; do
  uuid=$(api POST /v2/contacts/ "{\"phone_number\": \"${person#* }\", \"name\": \"${person% *}\"}" | field uuid)
  contacts="$contacts${contacts:+, }\"$uuid\""
done
list=$(api POST /v2/lists/ "{\"name\": \"Open house $run\"}" | field uuid)
api POST "/v2/lists/$list/contacts/" "{\"contacts\": [$contacts]}"

echo '== Ben wrote STOP'
api POST /v2/sandbox/sms/ "{\"from\": \"$ben\", \"to\": \"+447700900001\", \"text\": \"STOP\"}"

echo '== The campaign, and what Ana would get'
campaign=$(api POST /v2/campaigns/ "{
  \"name\": \"Open house $run\", \"channel\": \"SMS\", \"sender\": \"+447700900001\", \"lists\": [\"$list\"],
  \"text\": \"Hello {{ first_name }}, the house is open on Saturday from 10 to 12.\", \"quiet_hours\": false
}" | field uuid)
api POST "/v2/campaigns/$campaign/preview/" "{\"phone_number\": \"$ana\"}"

echo '== Launch it, and wait until everybody has it'
log=$(api POST "/v2/campaigns/$campaign/launch/" | field uuid)
for _ in $(seq 60); do
  api GET "/v2/campaign-logs/$log/" | grep -q '"delivered":2' && break
  sleep 0.5
done

echo '== The counters'
api GET "/v2/campaign-logs/$log/"
