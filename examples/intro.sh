#!/bin/sh
# A chat intro from the link to the meeting
# Ana (A) looks for a flat, Ada (B) is the agent; their phones are in the sandbox.
set -eu

url=${PARLEY_URL:-http://127.0.0.1:8080}
token=${PARLEY_TOKEN:-my-first-token}
run=$$
business='+442079460033'
ana="+4477112$(printf %05d "$((run % 100000))")"
ada="+4477113$(printf %05d "$((run % 100000))")"

# api METHOD PATH [BODY]
api() {
  curl -fsS -X "$1" "$url$2" -H "Authorization: Token $token" -H 'Content-Type: application/json' ${3:+-d "$3"}
}
# field NAME: the first value of that name in the JSON on the input
field() { tr ',' '\n' | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1; }
say() { printf '\n%s\n' "$*"; }
# shown NUMBER COUNT: the texts on a phone, once there are that many
shown() {
  number=$(printf %s "$1" | sed 's/+/%2B/')
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    phone=$(api GET "/v2/sandbox/phones/$number/")
    [ "$(printf %s "$phone" | grep -o '"direction"' | wc -l)" -ge "$2" ] && break
    sleep 0.5
  done
  printf '%s' "$phone" | sed 's/{"uuid"/\n&/g' |
    sed -n 's/.*"direction":"\([A-Z]*\)".*"text":"\([^"]*\)".*/   \1  \2/p'
}
# open LINK: where a link leads, as a telephone's browser would open it
open() {
  curl -sS -o /dev/null -w '%{redirect_url}' "$url/l/${1##*/l/}" \
    -A 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36'
}

say 'SCENE 1. An agency prints a link on a listing.'
intro=$(api POST /v2/chatapp/chat-intros/ "{
  \"chatapp_number\": \"$business\",
  \"reference_id\": \"LANE-$run\",
  \"expected_message_template\": \"Hi, I am interested in {{PropertyName}} ({{reference_id}})\",
  \"reply_message_template\": \"Thank you {{APartyDataContactName}}. {{AgentName}} will write to you.\",
  \"intro_message_template\": \"Hello {{APartyDataContactName}}, {{AgentName}} here about {{PropertyName}}\",
  \"notify_type\": \"CHATAPP\",
  \"notify_to_phone_number\": \"$ada\",
  \"notify_chatapp_template_name\": \"new_lead\",
  \"notify_chatapp_template_params\": [\"{{APartyDataContactName}}\", \"{{PropertyName}}\"],
  \"notify_delay\": 30,
  \"extra_variable_data\": {\"PropertyName\": \"12 Mill Lane\", \"AgentName\": \"Ada\"}
}")
uuid=$(printf %s "$intro" | field uuid)
link=$(printf %s "$intro" | field chat_link)
echo "   The listing says: $link"

say 'SCENE 2. Ana taps it. Her chat app opens, the text is there already.'
echo "   $(open "$link")"

say 'SCENE 3. She sends it, and hears back at once.'
api POST /v2/sandbox/chatapp/messages/ "{
  \"from\": \"$ana\", \"to\": \"$business\", \"name\": \"Ana\",
  \"text\": {\"body\": \"Hi, I am interested in 12 Mill Lane (LANE-$run)\"}
}" >/dev/null
shown "$ana" 2

say "SCENE 4. Half a minute later Ada's telephone buzzes."
api POST /v2/sandbox/clock/ '{"advance_seconds": 31}' >/dev/null
shown "$ada" 1
session=$(api GET "/v2/chatapp/chat-intros/$uuid/sessions/")
theirs=$(printf %s "$session" | field intro_chat_link)

say 'SCENE 5. She opens the link in it, and the two are talking.'
echo "   $(open "$theirs")"
session=$(api GET "/v2/chatapp/chat-intros/$uuid/sessions/")
echo "   The session is $(printf %s "$session" | field status)."

say 'THE STORY, as the log tells it:'
sleep 0.5
api GET "/v2/chatapp/chat-intros/$uuid/logs/?ordering=created" |
  sed 's/{"uuid"/\n&/g' | sed -n 's/.*"event":"\([^"]*\)".*/   \1/p'
