import type { ConfigRow } from './queries.ts';
import type { Channel, ConfigFields } from './schemas.ts';

/** A stored config in the words of the request. */
export const fieldsOf = (row: ConfigRow): ConfigFields => ({
  name: row.name,
  channel: row.channel as Channel,
  numbers: row.numbers,
  enabled: row.enabled,
  routes: row.routes as unknown as ConfigFields['routes'],
  fallback: row.fallback as ConfigFields['fallback'],
});

export const presentConfig = (row: ConfigRow) => ({
  uuid: row.uuid,
  ...fieldsOf(row),
  created: row.created,
  modified: row.modified,
});
