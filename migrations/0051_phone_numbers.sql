-- Brings what was stored as a number's digits into the form of E.164, by what the program read (migration 50). Rows whose digits are
-- not those of their text had been read with a country before, as those of contacts, and stay.
analyze phone_readings;

-- Opted out is who did so in any spelling. Of opt-outs that come to be the same the oldest stays: in earnest, if any was, and to be
-- answered only if each says so.
create temp table merging on commit drop as
with after as (
  select row.*, coalesce(reading.digits, row.digits) as after from opt_outs as row
  left join phone_readings as reading
    on reading.account_id = row.account_id and reading.written = row.phone_number and reading.plain = row.digits
  where (row.account_id, coalesce(reading.digits, row.digits)) in (select account_id, digits from phone_readings))
select *, first_value(uuid) over (partition by account_id, after, channel order by uuid) as stays from after;

delete from opt_outs as row using merging
where row.account_id = merging.account_id and row.uuid = merging.uuid and merging.uuid <> merging.stays;
update opt_outs as row set
  digits = known.after, trial = known.trial, answer_until = known.answer_until, said_again = known.said_again
from (
  select account_id, stays, after, bool_and(trial) as trial, max(said_again) as said_again,
    case when bool_and(answer_until is not null) then min(answer_until) end as answer_until
  from merging group by account_id, stays, after) as known
where row.account_id = known.account_id and row.uuid = known.stays;
drop table merging;

-- Of contacts with one number the oldest stays, on the lists of all of them.
create temp table merging on commit drop as
with after as (
  select row.account_id, row.uuid, coalesce(reading.digits, row.digits) as after from contacts as row
  left join phone_readings as reading
    on reading.account_id = row.account_id and reading.written = row.phone_number and reading.plain = row.digits
  where (row.account_id, coalesce(reading.digits, row.digits)) in (select account_id, digits from phone_readings))
select *, first_value(uuid) over (partition by account_id, after order by uuid) as stays from after;

insert into list_members (account_id, list, contact, added_at, removed_at)
select member.account_id, member.list, merging.stays, min(member.added_at),
  case when bool_and(member.removed_at is not null) then max(member.removed_at) end
from merging join list_members as member on member.account_id = merging.account_id and member.contact = merging.uuid
where merging.uuid <> merging.stays
group by member.account_id, member.list, merging.stays
on conflict (account_id, list, contact) do update set
  added_at = least(list_members.added_at, excluded.added_at),
  removed_at = case when excluded.removed_at is not null then list_members.removed_at end;
delete from list_members as member using merging
where member.account_id = merging.account_id and member.contact = merging.uuid and merging.uuid <> merging.stays;
delete from contacts as row using merging
where row.account_id = merging.account_id and row.uuid = merging.uuid and merging.uuid <> merging.stays;
update contacts as row set digits = merging.after from merging
where row.account_id = merging.account_id and row.uuid = merging.uuid and row.digits <> merging.after;
update tallies set count = (
  select count(*) from list_members as member
  where member.account_id = tallies.account_id and member.list = tallies.subject and member.removed_at is null)
where name = 'members' and (account_id, subject) in (
  select member.account_id, member.list from merging
  join list_members as member on member.account_id = merging.account_id and member.contact = merging.stays);
drop table merging;

-- A sender with a history cannot become another one: where two spellings of one number are registered, one gets its digits and the
-- others stay what they are.
update chatapp_accounts as row set digits = changed.digits
from (
  select distinct on (row.account_id, reading.digits) row.account_id, row.uuid, reading.digits from chatapp_accounts as row
  join phone_readings as reading
    on reading.account_id = row.account_id and reading.written = row.chatapp_number and reading.plain = row.digits
  order by row.account_id, reading.digits, row.uuid) as changed
where row.account_id = changed.account_id and row.uuid = changed.uuid and not exists (
  select from chatapp_accounts as other where other.account_id = row.account_id and other.digits = changed.digits);
update flows as row set digits = sender.digits from chatapp_accounts as sender
where sender.account_id = row.account_id and sender.uuid = row.chatapp_account and row.digits <> sender.digits;
update chat_intros as row set chatapp_digits = sender.digits from chatapp_accounts as sender
where sender.account_id = row.account_id and sender.uuid = row.chatapp_account and row.chatapp_digits <> sender.digits;
update links as row set chat_number = '+' || sender.digits from chatapp_accounts as sender
where sender.account_id = row.account_id and sender.uuid = row.chatapp_account
  and regexp_replace(row.chat_number, '[^0-9]', '', 'g') <> sender.digits;

update leads as row set digits = reading.digits from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.phone_number and reading.plain = row.digits;

-- A person has one open session with an intro. Where there are several, by as many spellings, one is found from now on.
update intro_sessions as row set aparty_digits = reading.digits from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.aparty_number and reading.plain = row.aparty_digits
  and not row.open;
update intro_sessions as row set aparty_digits = changed.digits
from (
  select distinct on (row.account_id, row.chat_intro, reading.digits) row.account_id, row.uuid, reading.digits
  from intro_sessions as row join phone_readings as reading
    on reading.account_id = row.account_id and reading.written = row.aparty_number and reading.plain = row.aparty_digits
  where row.open order by row.account_id, row.chat_intro, reading.digits, row.uuid) as changed
where row.account_id = changed.account_id and row.uuid = changed.uuid and not exists (
  select from intro_sessions as other where other.account_id = row.account_id and other.chat_intro = row.chat_intro
    and other.aparty_digits = changed.digits and other.open);

-- Was generated from the text.
alter table numbers alter column target_digits drop expression;
alter table numbers alter column target_digits set default '';
update numbers as row set target_digits = reading.digits from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.target_number;

-- The digits of those of an agent's numbers that are no SIP addresses: what comes from an agent is not sent on to agents.
alter table agents add column number_digits text[] not null default '{}';
update agents as row set number_digits = array(
  select coalesce(reading.digits, regexp_replace(given.written, '[^0-9]', '', 'g'))
  from unnest(row.numbers) with ordinality as given (written, place)
  left join phone_readings as reading on reading.account_id = row.account_id and reading.written = given.written
  where given.written !~* '^sips?:' order by place);

-- Of two routing configs for one number that come to be so by this, the older one decides.
delete from routing_numbers where digits <> '';
insert into routing_numbers (account_id, channel, digits, config)
select distinct on (1, 2, 3) config.account_id, config.channel,
  coalesce(reading.digits, regexp_replace(given.written, '[^0-9]', '', 'g')), config.uuid
from routing_configs as config cross join lateral unnest(config.numbers) as given (written)
left join phone_readings as reading on reading.account_id = config.account_id and reading.written = given.written
where config.enabled order by 1, 2, 3, config.uuid;

-- What was sent, so that it is found by its numbers.
update messages as row set to_digits = reading.digits from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.to_chatapp_number and reading.plain = row.to_digits
  and row.direction = 'OUTBOUND' and row.to_digits >= '0' and row.to_digits < '1';
update sms as row set to_digits = reading.digits from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.to_number and reading.plain = row.to_digits
  and row.direction = 'OUTBOUND' and row.to_digits >= '0' and row.to_digits < '1';
update sms as row set from_digits = reading.digits from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.from_number and reading.plain = row.from_digits
  and row.direction = 'OUTBOUND' and row.from_digits >= '0' and row.from_digits < '1';
update calls as row set from_digits = reading.digits,
  number_digits = case row.number_digits when reading.plain then reading.digits else row.number_digits end
from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.from_number and reading.plain = row.from_digits
  and row.direction = 'OUTBOUND' and row.from_digits >= '0' and row.from_digits < '1';

-- Whom our calls went to; of those that may still be dialled, or be asked for because somebody is to be called back.
alter table calls add column to_digits text collate "C" not null default '';
update calls set to_digits = regexp_replace(to_number, '[^0-9]', '', 'g')
where direction = 'OUTBOUND' and uuid >= uuid_floor(now() - interval '31 days');
update calls as row set to_digits = reading.digits from phone_readings as reading
where reading.account_id = row.account_id and reading.written = row.to_number and reading.plain = row.to_digits
  and row.direction = 'OUTBOUND' and row.uuid >= uuid_floor(now() - interval '31 days');
drop index calls_called;
create index calls_called on calls (account_id, to_digits, uuid) where direction = 'OUTBOUND';

drop view written_numbers;
drop table phone_readings;
