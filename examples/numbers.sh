#!/bin/sh
# Buy and release phone numbers
# Searches numbers, buys two in one request, updates both, looks at one, and releases them.
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

echo '== What can be bought in London'
api GET '/v2/number/search/?country_code=GB&prefix=020&page_size=3'

echo '== Buy two: both or none'
bought=$(api POST /v2/number/bulk/ -d '[
  {"country_code": "GB", "prefix": "20", "target_number": "+447700900456", "call_tracking": "spring-flyer"},
  {"country_code": "US", "capabilities": ["VOICE", "SMS", "MMS"], "keywords": ["OFFER"]}
]')
printf '%s\n' "$bought"
numbers=$(printf '%s' "$bought" | grep -o '"number":"[^"]*"' | cut -d '"' -f 4)
# Word splitting is wanted here: two numbers, two words.
# shellcheck disable=SC2086
set -- $numbers

echo '== Update both'
api PATCH /v2/number/bulk/ -d "[
  {\"number\": \"$1\", \"tts\": \"Welcome to the shop.\", \"features\": [\"TTS\", \"CALL_TRACKING\"]},
  {\"number\": \"$2\", \"meta\": {\"shop\": 7}}
]"

echo '== Look at one, then at all'
api GET "/v2/number/${1#+}/"
api GET '/v2/number/?page_size=2'

echo '== Release them: 204, and each rests for 30 days'
for number in "$1" "$2"; do
  api DELETE "/v2/number/${number#+}/" -w "$number %{http_code}"
done
