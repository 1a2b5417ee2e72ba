-- Words of the account's own that opt people out, and its answer to HELP.
alter table accounts add column opt_out_keywords text[] not null default '{}';
alter table accounts add column help_text text;
