-- Conditions that the people on a campaign's lists meet.
alter table campaigns add column segment json not null default '[]';
