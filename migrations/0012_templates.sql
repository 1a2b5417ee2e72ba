-- Message templates as something the API keeps: what the carrier thinks of them, and what it has yet to be told.

alter table message_templates
  -- null: taken into use by its name alone, nobody said
  add column category            text,
  add column parameter_format    text not null default 'POSITIONAL',
  -- The carrier's own id; null: it has not taken the template yet
  add column carrier_template_id text collate "C",
  add column quality             text not null default 'UNKNOWN',
  add column rejected_reason     text not null default '',
  -- What the carrier has yet to be told. With DELETE the template is gone for the API, the row goes when the carrier agreed.
  add column todo                text check (todo in ('SUBMIT', 'DELETE')),
  -- Counts definitions: what a carrier says about one is not taken for its word on a later one
  add column revision            integer not null default 1,
  -- What edits changed (category, components): the platform does not let everything be said again
  add column edited              text[] not null default '{}';

-- A template that was deleted may be made again.
alter table message_templates drop constraint message_templates_account_id_chatapp_account_name_language__key;
create unique index message_templates_key on message_templates (account_id, chatapp_account, name, language_code)
  where status <> 'DELETED';

-- One for each filter of the list; names are searched by their beginning.
create index message_templates_chatapp_account on message_templates (account_id, chatapp_account, uuid);
create index message_templates_name on message_templates (account_id, name, uuid);
create index message_templates_status on message_templates (account_id, status, uuid);
create index message_templates_category on message_templates (account_id, category, uuid);
create index message_templates_language_code on message_templates (account_id, language_code, uuid);

create index message_templates_carrier_id on message_templates (account_id, chatapp_account, carrier_template_id)
  where carrier_template_id is not null;
create index message_templates_todo on message_templates (modified) where todo is not null;
