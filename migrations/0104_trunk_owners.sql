-- What a process looks after, and what nobody does, is found without reading every trunk.
create index sip_trunk_states_owner on sip_trunk_states (owner);
