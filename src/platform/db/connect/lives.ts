/**
 * The lives of the database server: one begins with each of its starts, and with each promotion of a standby. Clients need some seconds
 * to come back to it, and to say what they know (see decision 35).
 */

/** SQL text: the timeline of the server. A standby that is promoted writes a new one, while its start is long ago. */
export const timelineText = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

const isOverText = `first_seen < now() - interval '5 seconds'`;

/**
 * SQL text: whether processes have had the time to show that they are alive, after PostgreSQL started or a standby took over. Until
 * then none counts as dead.
 */
export const isSettledText = `exists (
  select 1 from database_lives
  where timeline = ${timelineText} and server_started = pg_postmaster_start_time() and ${isOverText})`;

/**
 * SQL text: whether processes have had the time to claim again what they had handed over, after a standby took over that may not have heard of
 * it (see `outbox/reclaim.ts`). Until then nothing that waits may leave.
 */
export const mayLeaveText = `exists (
  select 1 from database_lives where timeline = ${timelineText} and (not promoted or ${isOverText}))`;

/** Notes when clients first saw this life of the server; the first process to connect does so. */
export const noteLifeText = `
  with gone as (
    delete from database_lives where (timeline, server_started) <> (${timelineText}, pg_postmaster_start_time())
    returning timeline)
  insert into database_lives (timeline, server_started, promoted)
  select ${timelineText}, pg_postmaster_start_time(), exists (select 1 from gone where timeline <> ${timelineText})
  on conflict do nothing`;
