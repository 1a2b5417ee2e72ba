-- Messages whose content is masked once they were delivered or have failed: one-time passwords, and what was sent with `sensitive`.
-- 0: not so. 1: its content is there still. 2: it is masked.
alter table messages add column sensitive smallint not null default 0;
alter table sms add column sensitive smallint not null default 0;
create index messages_sensitive on messages (account_id, uuid) where sensitive = 1;
create index sms_sensitive on sms (account_id, uuid) where sensitive = 1;
