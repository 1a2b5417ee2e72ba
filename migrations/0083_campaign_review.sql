-- Who paused a launch: {"type", "uuid", "name"} of a user or a token; null: it paused itself, or is not paused.
alter table campaign_logs add column paused_by jsonb;

-- What the carriers charge the account, for estimates: {"currency", "sms_part", "chatapp_message", "number_month"}.
alter table accounts add column prices jsonb;
