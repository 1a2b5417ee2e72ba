-- Conversations are listed by what people wrote last: the id of that message is a moment, too, and a place in the list.
alter table chat_people add column last_inbound uuid;
update chat_people set last_inbound = uuid_floor(last_inbound_at);
alter table chat_people alter column last_inbound set not null;
create index chat_people_last on chat_people (account_id, last_inbound);
create index chat_people_sender_last on chat_people (account_id, chatapp_account, last_inbound);
create index chat_people_digits on chat_people (account_id, digits);
