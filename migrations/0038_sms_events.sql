-- The steps that every SMS takes are as common as those of a message, and are found as those are (0020_pool.sql): an SMS that is
-- sent has two entries less to keep up.
drop index events_kind;
create index events_kind on events (account_id, kind, uuid)
  where kind not in ('message.queued', 'message.sent', 'message.delivered', 'message.read', 'message.received',
    'sms.queued', 'sms.sent', 'sms.delivered');
