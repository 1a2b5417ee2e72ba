-- Why a message or an SMS failed, for those who decide by it: the carrier's code, or one of ours (recipient_opted_out, expired,
-- given_up, unknown). The description is for people, and nobody reads meaning out of it any more.
alter table message_states add column failure_code text;
alter table sms_states add column failure_code text;

-- The one code that launches ask for, also of what failed before.
update message_states set failure_code = 'recipient_opted_out'
where campaign_log is not null and status = 'FAILED' and status_description like '%(code recipient\_opted\_out)';
update sms_states set failure_code = 'recipient_opted_out'
where campaign_log is not null and status = 'FAILED' and status_description like '%(code recipient\_opted\_out)';
