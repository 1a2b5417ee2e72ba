-- Whether an account may act. SUSPENDED: its tokens are refused and nothing leaves. DELETING: a job removes it, for good.
alter table accounts add column status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED', 'DELETING'));
alter table accounts add column suspended_at timestamptz;
-- Whoever sends asks for those that may not: there are few of them, however many accounts there are.
create index accounts_held on accounts (uuid) where status <> 'ACTIVE';
create index accounts_status on accounts (status, uuid);
create index accounts_name on accounts (lower(name) collate "C", uuid);
