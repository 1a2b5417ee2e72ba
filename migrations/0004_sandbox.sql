-- The sandbox carrier's own memory: what it was handed and what it has still to report. Kept in tables of its own, as a real
-- carrier would keep it elsewhere, so that a crash of the process loses no receipt.

create table sandbox_messages (
  account_id      uuid not null,
  -- Our message; handed over twice it would stand here twice, which is how a test finds that out
  message         uuid not null,
  id              uuid not null,
  chatapp_number  text not null,
  phone_number    text not null,
  phone_digits    text collate "C" not null,
  type            text not null,
  content         json not null,
  -- How many receipts of the number's behaviour were reported; due_at: when the next one is (account's sandbox time), null: none
  step            smallint not null default 0,
  due_at          timestamptz,
  created         timestamptz not null default now(),
  primary key (account_id, message, id)
) with (fillfactor = 80);
create index sandbox_messages_due on sandbox_messages (due_at) where due_at is not null;
create index sandbox_messages_phone on sandbox_messages (account_id, phone_digits, message);

-- Time as an account's sandbox has it: virtual_base + (now − real_base) × speed. No row: the real time.
create table sandbox_clocks (
  account_id   uuid primary key references accounts on delete cascade,
  real_base    timestamptz not null,
  virtual_base timestamptz not null,
  speed        double precision not null
);
