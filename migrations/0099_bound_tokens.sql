-- The phone numbers (digits) that a token is bound to: numbers and chat-app accounts. Null: it is bound to none.
alter table tokens add column resources text[];
