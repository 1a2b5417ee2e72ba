-- Whoever signs in with a name has the scopes of that user, and what they are given ends with the user.

alter table users
  add column scopes text[] not null default '{read,write}',
  add column last_sign_in timestamptz;

alter table tokens
  -- API: shown once to whoever made it. SESSION: in the cookie of a browser.
  add column kind text not null default 'API',
  -- Who signed in with name and password; null: it is the account's, and outlives the user who made it
  add column user_uuid uuid,
  -- The token that a session was opened with
  add column parent uuid,
  add constraint tokens_user foreign key (account_id, user_uuid) references users on delete cascade,
  add constraint tokens_parent foreign key (account_id, parent) references tokens on delete cascade;
create index tokens_of_user on tokens (account_id, user_uuid) where user_uuid is not null;
create index tokens_of_parent on tokens (account_id, parent) where parent is not null;
create index tokens_of_kind on tokens (account_id, kind, uuid);
-- To find the sessions that are over; API tokens stay in the list, so that people see why one stopped working.
create index tokens_session_expires on tokens (expires) where kind = 'SESSION';
