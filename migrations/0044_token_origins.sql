-- Where a token comes from and when it was used; whose an Idempotency-Key is; names to send SMS from that an operator has agreed to.

alter table tokens
  -- The user who made it, signed in with a password: it ends with them. (user_uuid: the user it was given to for signing in)
  add column creator uuid,
  -- Written once a minute at most
  add column last_used timestamptz,
  add column last_used_address text,
  add constraint tokens_creator foreign key (account_id, creator) references users on delete cascade;
create index tokens_of_creator on tokens (account_id, creator) where creator is not null;

-- The user or the token that sent the request. Requests from before belong to the account for the day that is left to them.
alter table idempotency_keys add column owner uuid not null default '00000000-0000-0000-0000-000000000000';
alter table idempotency_keys alter column owner drop default;
-- A request that shows a secret is not to be repeated by another token, not even that day.
delete from idempotency_keys where path = '/v2/auth/tokens/';
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys add primary key (account_id, owner, method, path, key);

alter table sms_senders
  -- PENDING until an operator has decided; what was registered before stays
  add column status text not null default 'APPROVED' check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  -- Why it was rejected
  add column reason text,
  add column decided timestamptz;
alter table sms_senders alter column status drop default;
create index sms_senders_status on sms_senders (status, uuid);
