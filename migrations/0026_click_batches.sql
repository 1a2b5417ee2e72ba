-- Clicks on links that are written down and not yet on the timeline: a row holds those of a tenth of a second. Their way there
-- takes ten times the work of writing them down, and is paced, so that a rush on links does not slow the links.

create table click_batches (
  uuid        uuid primary key,
  -- One entry per click in each: its event's id, whose link it is, who opened it, when by the carrier's time
  events      uuid[] not null,
  account_ids uuid[] not null,
  chat_intros uuid[] not null,
  visitors    text[] not null,
  opened_ms   float8[] not null,
  written     timestamptz not null default now()
);
-- They live for a moment: packing them would be wasted.
alter table click_batches
  alter column events set storage external,
  alter column account_ids set storage external,
  alter column chat_intros set storage external,
  alter column visitors set storage external,
  alter column opened_ms set storage external;
