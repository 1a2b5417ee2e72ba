-- That a message or an SMS was accepted, or came in, is told by its own row, which has the id and the moment that the event had: the
-- timeline shows it as the first event of the story, and nothing is written for it. No branch has a condition: PostgreSQL would
-- then sort what it can read in order. Of what was written the direction is empty, by which the rest is left out or found.
create view timeline as
  select account_id, uuid, subject_type, subject, kind, cause, data, at, '' as direction from events
  union all
  select account_id, uuid, 'message', uuid, case direction when 'OUTBOUND' then 'message.queued' else 'message.received' end,
    null, case direction when 'OUTBOUND' then '{"status":"QUEUED"}'::json else '{"status":"RECEIVED"}' end, created, direction
  from messages
  union all
  select account_id, uuid, 'sms', uuid, case direction when 'OUTBOUND' then 'sms.queued' else 'sms.received' end,
    null, case direction when 'OUTBOUND' then '{"status":"QUEUED"}'::json else '{"status":"RECEIVED"}' end, created, direction
  from sms;

delete from events where kind in ('message.queued', 'message.received', 'sms.queued', 'sms.received');
