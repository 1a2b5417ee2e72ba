-- Opt-outs that were said on a carrier for trying things out. In an account that also reaches real people, what somebody writes
-- there lifts only these: nobody can take back a real person's opt-out by writing in their name.
alter table opt_outs add column trial boolean not null default false;
