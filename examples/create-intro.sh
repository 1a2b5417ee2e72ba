#!/bin/sh
# Create and change a chat intro
# Stores a chat intro (whom to notify, what to send the lead, which links to make), changes it, and finds it in the list.
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

echo '== Create it: the answer has its chat_link'
intro=$(api POST /v2/chatapp/chat-intros/ -d '{
  "chatapp_number": "+44 20 7946 0011",
  "reference_id": "PROP-1024",
  "expected_message_template": "Hello, I would like to know more about {{reference_id}}",
  "reply_type": "TEXT",
  "reply_message_template": "Thank you for asking about {{PropertyName}}. {{AgentName}} will be in touch.",
  "intro_message_template": "Hello, {{AgentName}} here, about {{PropertyName}}.",
  "notify_type": "CHATAPP",
  "notify_to_phone_number": "+44 7700 900123",
  "notify_chatapp_template_name": "new_lead",
  "notify_chatapp_template_components": [
    {"type": "body", "parameters": [{"type": "text", "text": "{{APartyDataContactName}}"}]},
    {"type": "button", "sub_type": "url", "index": 0, "parameters": [{"type": "text", "text": "{{intro_chat_shortcode}}"}]}
  ],
  "notify_delay": 30,
  "aparty_notify_chatapp_template_name": "meet_your_agent",
  "aparty_notify_chatapp_template_components": [
    {"type": "header", "parameters": [{"type": "image", "image": {"url": "https://example.com/12-mill-lane.jpg"}}]},
    {"type": "body", "parameters": [{"type": "text", "text": "{{PropertyName}}"}, {"type": "text", "text": "{{AgentName}}"}]},
    {"type": "button", "sub_type": "url", "index": 0, "parameters": [{"type": "text", "text": "{{intro_chat_link_aparty_shortcode}}"}]}
  ],
  "intro_bparty_number": "+44 7700 900123",
  "intro_message_aparty": "Hello {{AgentName}}, I asked about {{PropertyName}}.",
  "extra_variable_data": {"PropertyName": "12 Mill Lane", "AgentName": "Ada"},
  "meta_data": {"source": "portal"}
}')
printf '%s\n' "$intro"
uuid=$(printf '%s' "$intro" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')

echo '== Change what differs; the rest stays'
api PATCH "/v2/chatapp/chat-intros/$uuid/" -d '{"extra_variable_data": {"PropertyName": "12 Mill Lane", "AgentName": "Grace"}}'

echo '== Find it by its reference'
api GET '/v2/chatapp/chat-intros/?reference_id=PROP-1024&page_size=1'
