-- A payload that could not be dealt with waits by itself, and payloads are read in turns, account by account.
alter table inbound_payloads add column due_at timestamptz not null default '-infinity';
create index inbound_payloads_turn on inbound_payloads (account_id, uuid) where done is null and problem is null;
drop index inbound_payloads_waiting;

-- Clocks of the sandbox stay within ten years of the real time: those that were moved further come back to that, at the usual
-- speed. Counted in seconds, because sums of far moments cannot be computed.
update sandbox_clocks set real_base = now(), virtual_base = now() + interval '3652 days', speed = 1
where extract(epoch from virtual_base) + extract(epoch from now()) * speed::numeric - extract(epoch from real_base) * speed::numeric
  > extract(epoch from now()) + 3652 * 86400;
-- What was to happen, or has happened, by such a clock.
update sandbox_messages set due_at = now() where due_at > now() + interval '4000 days';
update chat_people set last_inbound_at = now() where last_inbound_at > now() + interval '4000 days';
update opt_outs set answer_until = null where answer_until > now() + interval '4000 days';
update intro_keys set opened_at = least(opened_at, now()), ranked_at = least(ranked_at, now())
where opened_at > now() + interval '4000 days' or ranked_at > now() + interval '4000 days';
