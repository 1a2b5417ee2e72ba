-- What was sent in the place of a message or an SMS that failed: each is sent again at most once, however long events are kept.
alter table message_states add column resent_as uuid;
alter table sms_states add column resent_as uuid;

-- Account by account, so that the index of events by kind is used, and a distributed database asks one shard at a time.
do $$
declare
  account uuid;
begin
  for account in select uuid from accounts loop
    update message_states as state set resent_as = (event.data ->> 'sent_as')::uuid
    from events as event
    where state.account_id = account and event.account_id = account and event.kind = 'message.resent' and event.subject = state.uuid;
    update sms_states as state set resent_as = (event.data ->> 'sent_as')::uuid
    from events as event
    where state.account_id = account and event.account_id = account and event.kind = 'sms.resent' and event.subject = state.uuid;
  end loop;
end $$;
