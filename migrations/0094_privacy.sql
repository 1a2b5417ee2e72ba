-- What an account keeps others from seeing, and how long it keeps each kind of data where that differs from retention_days.
alter table accounts
  -- Webhooks, events and the timeline come without what people said.
  add column redact_content boolean not null default false,
  -- By kind, in days: {"messages": 30}.
  add column retention json not null default '{}';
