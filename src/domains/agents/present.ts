import { isAvailable } from './available.ts';
import type { AgentRow } from './queries.ts';
import { fieldsOf } from './schemas.ts';

/** An agent as the API shows it at a moment. */
export const presentAgent = (now: Date) => (row: AgentRow) => ({
  uuid: row.uuid,
  ...fieldsOf(row),
  available: isAvailable(row, now),
  last_assigned: row.last_assigned,
  created: row.created,
  modified: row.modified,
});
