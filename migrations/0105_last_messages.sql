-- Conversations are also listed by the last message that came or left. The id of that message is a moment, and a place in the list, as
-- last_inbound is for what people wrote. The default is for processes of the version before, which do not know the column.
alter table chat_people add column last_message uuid not null default uuid_floor(now());

-- Account by account, so that a distributed database asks one shard at a time.
do $$
declare
  account uuid;
begin
  for account in select uuid from accounts loop
    update chat_people as person set last_message = greatest(person.last_inbound, (
      select message.uuid from messages as message
      where message.account_id = account and message.to_digits = person.digits
        and message.chatapp_account = person.chatapp_account and message.direction = 'OUTBOUND'
      order by message.uuid desc limit 1))
    where person.account_id = account;
  end loop;
end $$;

create index chat_people_message on chat_people (account_id, last_message, last_inbound);
create index chat_people_sender_message on chat_people (account_id, chatapp_account, last_message, last_inbound);
