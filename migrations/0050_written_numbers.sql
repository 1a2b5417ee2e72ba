-- Telephone numbers are compared as E.164, however they were written (decision 28). Until now, what was stored as a number's digits
-- was those of the text, but for contacts. What a text means depends on the country of the account, and only the program can tell:
-- with this migration it reads `written_numbers` and fills `phone_readings` (`src/platform/db/phone-readings.ts`); the next one
-- brings rows into the form by that, and drops both.

create table phone_readings (
  account_id uuid not null,
  written    text not null,
  -- The digits of the text.
  plain      text collate "C" not null,
  digits     text collate "C" not null,
  primary key (account_id, written)
);

-- Numbers as accounts wrote them. Of what was sent, which may be much, only those with a zero in front, which an index has.
create view written_numbers as
select account_id, default_country as country, written from (
  select account_id, phone_number as written from opt_outs
  union all select account_id, phone_number from contacts
  union all select account_id, phone_number from leads
  union all select account_id, aparty_number from intro_sessions
  union all select account_id, chatapp_number from chatapp_accounts
  union all select account_id, target_number from numbers
  union all select account_id, unnest(numbers) from routing_configs
  union all select account_id, unnest(numbers) from agents
  union all select sent.account_id, to_chatapp_number from accounts join messages as sent on sent.account_id = accounts.uuid
    and direction = 'OUTBOUND' and to_digits >= '0' and to_digits < '1'
  union all select sent.account_id, to_number from accounts join sms as sent on sent.account_id = accounts.uuid
    and direction = 'OUTBOUND' and to_digits >= '0' and to_digits < '1'
  union all select sent.account_id, from_number from accounts join sms as sent on sent.account_id = accounts.uuid
    and direction = 'OUTBOUND' and from_digits >= '0' and from_digits < '1'
  union all select made.account_id, from_number from accounts join calls as made on made.account_id = accounts.uuid
    and direction = 'OUTBOUND' and from_digits >= '0' and from_digits < '1'
  union all select account_id, to_number from calls
    where direction = 'OUTBOUND' and uuid >= uuid_floor(now() - interval '31 days')
) as written join accounts on accounts.uuid = account_id;
