-- Numbers of real carriers are sold before the fictional ones of the sandbox, and to live accounts alone: they are found without
-- reading past those.
create index number_pool_imported on number_pool (country, national) where state <> 'ASSIGNED' and carrier <> 'sandbox';
