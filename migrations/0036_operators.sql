-- What operators of campaigns and webhooks ask for.

-- The newest launch, so that a list by its status needs no look for it; null: never launched.
alter table campaigns add column campaign_log uuid;
update campaigns set campaign_log = (
  select log.uuid from campaign_logs as log
  where log.account_id = campaigns.account_id and log.campaign = campaigns.uuid order by log.uuid desc limit 1);
create index campaigns_log on campaigns (account_id, campaign_log) where deleted_at is null;
create index campaigns_draft on campaigns (account_id, uuid) where campaign_log is null and deleted_at is null;
-- Words of the names, as contacts have them.
create index campaigns_words on campaigns using gin (contact_terms(account_id, name, '{}')) where deleted_at is null;

-- How many messages had left by the end of spans of time: {"minutes": the length of each, "marks": [[beginning in milliseconds, count], …]}
alter table campaign_logs add column history json not null default '{"minutes":1,"marks":[]}';

-- Why messages of a launch failed; for the chat app message_states_campaign does.
create index sms_states_launch_failed on sms_states (account_id, campaign_log, uuid)
  where status = 'FAILED' and campaign_log is not null;

-- What a delivery tells of: a message, a call, a chat intro; null: nothing that has an id, or it was made before there was this column.
alter table webhook_deliveries add column subject uuid;
create index webhook_deliveries_subject on webhook_deliveries (account_id, subject, uuid) where subject is not null;
