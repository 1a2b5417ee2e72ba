-- The lists of what happened to chat intros: one index per filter, each ending in uuid so that a page is a range scan however
-- deep it is. They hold events of intros only, so that the events of messages, which are many more, do not pay for them.

create index events_chat_intro_kind on events (account_id, kind, uuid) where subject_type = 'chat_intro';
create index events_chat_intro_session on events (account_id, (data ->> 'session'), uuid)
  where subject_type = 'chat_intro' and data ->> 'session' is not null;
create index events_chat_intro_aparty on events (account_id, (data ->> 'digits'), uuid)
  where subject_type = 'chat_intro' and data ->> 'digits' is not null;
-- The steps of sessions alone; clicks, of which most lead nowhere, are not among them.
create index events_chat_intro_status on events (account_id, uuid)
  where subject_type = 'chat_intro' and data ->> 'status' is not null;
