#!/bin/sh
# Contact cards and idempotency
# Sends contact cards, and sends them again with the same Idempotency-Key: the first answer comes back, nothing goes twice.
set -eu

url=${PARLEY_URL:-http://127.0.0.1:8080}
token=${PARLEY_TOKEN:-my-first-token}
key="contacts-$(date +%s)-$$"

send() {
  curl -fsS "$url/v2/chatapp/messages/" "$@" \
    -H "Authorization: Token $token" \
    -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $key" \
    -d '{
      "chatapp_number": "+44 7700 900001",
      "to_chatapp_number": "+44 7700 900123",
      "type": "CONTACTS",
      "contacts": [{
        "name": {"formatted_name": "Ada Byron", "first_name": "Ada", "last_name": "Byron"},
        "org": {"company": "Mill Lane Estates"},
        "phones": [{"phone": "+44 20 7946 0018", "type": "WORK"}],
        "urls": [{"url": "https://example.com/ada", "type": "WORK"}],
        "addresses": [{"street": "12 Mill Lane", "city": "London", "zip": "NW6 1NF", "country": "United Kingdom",
          "country_code": "GB", "type": "WORK"}],
        "birthday": "1990-12-10"
      }]
    }'
  echo
}

echo '== Send the card'
first=$(send)
printf '%s\n' "$first"

echo '== Once more with the same key: note the header Idempotent-Replayed and the same uuid'
again=$(send -i)
printf '%s\n' "$again"
case $again in *"$first") ;; *) exit 1 ;; esac
