-- Sessions of intros in which something is due, by the hour of it, and within an hour by the sender: what looks for due ones reads these and
-- no others, and one sender's thousand cost as much as one. `intro_sessions` is written to while nobody waits; each of these takes as long as
-- reading the table once.
create index intro_sessions_notify_hour on intro_sessions
  (date_bin('1 hour', notify_due_at, 'epoch'), account_id, chatapp_account, notify_due_at) where notify_due_at is not null;
create index intro_sessions_quiet_hour on intro_sessions
  (date_bin('1 hour', last_activity_at, 'epoch'), account_id, chatapp_account, last_activity_at) where open;

-- What is forgotten by its age alone.
create index inbound_ids_created on inbound_ids (created);
create index sandbox_holds_until on sandbox_holds (held_until);

-- The shortest time for which an account keeps things.
create index accounts_retention_days on accounts (retention_days);
