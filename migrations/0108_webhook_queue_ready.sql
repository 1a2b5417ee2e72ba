-- What waits for its next attempt is kept apart from what may be sent: receivers that fail cost nothing until something of theirs is due.
alter table webhook_queue add column ready boolean not null default true;
update webhook_queue set ready = false where due_at > now();
create index webhook_queue_ready on webhook_queue (account_id, endpoint, due_at, delivery) where claimed_by is null and ready;
create index webhook_queue_later on webhook_queue (due_at) where claimed_by is null and not ready;
drop index webhook_queue_free;
