-- The keys that secrets are encrypted with, each encrypted ("wrapped") by a key of the operator's ring, SECRET_KEYS. To change the ring
-- is to wrap these few rows anew; what they encrypt need not be touched for it.
create table data_keys (
  number integer primary key check (number > 0),
  purpose text not null check (purpose in ('seal', 'digest')),
  wrapped text not null,
  -- Which key of the ring unwraps it: its id, a fingerprint.
  wrapped_by text not null,
  -- From then on it is the one to encrypt with; until then processes learn of it.
  active_from timestamptz not null,
  -- false: a rotation to it began and has not ended; the next one goes on with it.
  is_complete boolean not null default true,
  created timestamptz not null default now(),
  -- The operator said that the ring's key is lost (SECRET_KEY_CHANGED). What it encrypted stays unreadable.
  lost timestamptz
);

-- Which keys of the ring each process has: one that lacks the new key must not be left behind by a rotation.
alter table processes add column key_ids text[] not null default '{}';
