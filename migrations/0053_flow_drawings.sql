-- Whether the platform has the definition as it is here.
alter table flows add column is_drawn boolean not null default true;
