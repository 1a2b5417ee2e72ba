import { type RawBuilder, sql } from 'kysely';

/** SQL: a moment of a row, moved back. Citus changes rows only by what no setting decides, and the length of a day does not in UTC. */
export const earlier = (moment: RawBuilder<unknown>, interval: string): RawBuilder<string> =>
  sql`((${moment} at time zone 'UTC' - ${interval}::interval) at time zone 'UTC')`;
