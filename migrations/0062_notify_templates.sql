-- The template by which an agent is told of a chat message when their 24-hour window is closed; else the account's is used.
alter table agents add column template json;
alter table accounts add column notify_template json;
