-- When somebody who is opted out said so again. A START that is read late, after it failed a first time, lifts no opt-out that was
-- said since it came; without this the second STOP of STOP, START, STOP could not be told from the first.
alter table opt_outs add column said_again timestamptz;
