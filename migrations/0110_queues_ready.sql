-- What is due later is kept apart from what may leave: a message that waits for the morning costs nothing until then.
alter table message_states add column ready boolean not null default true;
alter table sms_states add column ready boolean not null default true;

create index message_states_ready on message_states (account_id, chatapp_account, priority, due_at, uuid)
  where status = 'QUEUED' and claimed_by is null and ready;
create index message_states_later on message_states (due_at)
  where status = 'QUEUED' and claimed_by is null and not ready;
create index sms_states_ready on sms_states (account_id, priority, due_at, uuid)
  where status = 'QUEUED' and claimed_by is null and ready;
create index sms_states_later on sms_states (due_at)
  where status = 'QUEUED' and claimed_by is null and not ready;

-- An account that moved its sandbox clock has moments of its own: what it sends is always looked at.
update message_states set ready = false
where status = 'QUEUED' and claimed_by is null and due_at > now()
  and not exists (select 1 from sandbox_clocks where sandbox_clocks.account_id = message_states.account_id);
update sms_states set ready = false
where status = 'QUEUED' and claimed_by is null and due_at > now()
  and not exists (select 1 from sandbox_clocks where sandbox_clocks.account_id = sms_states.account_id);

drop index message_states_free;
drop index sms_states_free;
