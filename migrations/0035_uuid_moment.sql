-- The moment in an id, to the millisecond (RFC 9562, 5.7): uuid_floor() the other way round. PostgreSQL has its own since 17.
create function uuid_moment(id uuid) returns timestamptz
language sql immutable strict parallel safe
return to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0);
