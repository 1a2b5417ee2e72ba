#!/bin/sh
# Call tracking
# A number for one advertisement, with a notice and a recording. Somebody calls it; the record says which advertisement
# brought the call. Both telephones are in the sandbox, whose clock runs fast.
set -eu

url=${PARLEY_URL:-http://127.0.0.1:8080}
token=${PARLEY_TOKEN:-my-first-token}

# api METHOD PATH [BODY]
api() {
  curl -fsS -X "$1" "$url$2" -H "Authorization: Token $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
  echo
}
# field NAME: the first value of that name in the JSON on the input
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

echo '== Ten times faster than real time'
api POST /v2/sandbox/clock/ '{"speed": 10}'

echo '== Buy a number for the spring flyer; calls go on to the shop'
bought=$(api POST /v2/number/ '{
  "country_code": "US", "target_number": "+447700909054",
  "call_tracking": "spring-flyer", "features": ["CALL_TRACKING", "RECORD_CALL", "TTS"],
  "tts": "This call is recorded."
}')
printf '%s\n' "$bought"
number=$(printf '%s' "$bought" | field number)

echo '== Somebody calls it'
call=$(api POST /v2/sandbox/calls/ "{\"from\": \"+447700900123\", \"to\": \"$number\"}" | field uuid)
for _ in $(seq 60); do
  [ "$(api GET "/v2/voice/calls/$call/" | field status)" = ENDED ] && break
  sleep 0.5
done

echo '== What the record says'
api GET "/v2/voice/calls/$call/"

echo '== Step by step, the newest first'
api GET "/v2/events/?subject=$call" | grep -o '"kind":"call[^"]*"' | cut -d '"' -f 4

echo '== The recording'
curl -fsS -o /dev/null -w '%{content_type}, %{size_download} bytes\n' "$url/v2/voice/calls/$call/recording/" -H "Authorization: Token $token"

api DELETE "/v2/number/${number#+}/"
api POST /v2/sandbox/clock/ '{"speed": 1}' > /dev/null
