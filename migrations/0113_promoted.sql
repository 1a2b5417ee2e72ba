-- A life of the server that began with the promotion of a standby: nothing that waits leaves before processes have had the time to say
-- what they had handed over already.
alter table database_lives add column promoted boolean not null default false;
