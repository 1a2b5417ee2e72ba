-- Who holds links, and which of each carrier nobody does: what a process holds and can take is found without a look at the others.
create index sms_links_owner on sms_links (owner) where owner is not null;
create index sms_links_free on sms_links (carrier) where enabled and owner is null;
-- Links of the sandbox need no connection, and so nobody who holds them.
update sms_links set owner = null where carrier = 'sandbox' and owner is not null;
