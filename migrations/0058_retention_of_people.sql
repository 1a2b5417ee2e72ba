-- The links of a session go with it.
create index links_session on links (account_id, session) where session is not null;
