-- A lead is one person of one intro, and somebody works on it.
alter table leads
  add column answers json not null default '{}',
  add column status text not null default 'NEW' check (status in ('NEW', 'OPEN', 'WON', 'LOST')),
  add column owner text not null default '',
  add column notes text not null default '';

-- Of several rows of a person and an intro the newest stays, with what was known from the others.
with several as (
  select account_id, chat_intro, digits, max(uuid::text)::uuid as newest
  from leads where chat_intro is not null
  group by account_id, chat_intro, digits having count(*) > 1
), known as (
  select several.account_id, several.newest, jsonb_object_agg(item.key, item.value order by lead.uuid) as data
  from several join leads as lead using (account_id, chat_intro, digits)
  cross join lateral jsonb_each(
    case when json_typeof(lead.data) = 'object' and position('\u0000' in lead.data::text) = 0 then lead.data::jsonb end) as item
  group by several.account_id, several.newest
), kept as (
  update leads set data = known.data from known where leads.account_id = known.account_id and leads.uuid = known.newest
)
delete from leads using several
where leads.account_id = several.account_id and leads.chat_intro = several.chat_intro and leads.digits = several.digits
  and leads.uuid <> several.newest;

create unique index leads_person on leads (account_id, chat_intro, digits) where chat_intro is not null;
create index leads_status on leads (account_id, status, uuid);
create index leads_owner on leads (account_id, owner, uuid) where owner <> '';
