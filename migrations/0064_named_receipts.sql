-- A receipt may name the SMS and the part that it is about, and come before it is known that the answer to the hand-over was lost.
alter table sms_early_receipts add column sms uuid, add column part smallint;
create index sms_early_receipts_sms on sms_early_receipts (account_id, sms) where sms is not null;
