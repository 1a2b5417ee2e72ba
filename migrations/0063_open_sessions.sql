-- The open sessions of an account, however many have ended.
create index intro_sessions_account_open on intro_sessions (account_id, uuid) where open;
