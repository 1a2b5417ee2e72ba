/**
 * SQL texts about moments that were stored by the database's clock. A clock can be set back, and then what was stored before lies
 * in the future: nothing may wait until the clock is there again.
 */

/** The seconds since a moment, until now or another one; none since one in the future. */
export const elapsedText = (column: string, until = 'clock_timestamp()'): string =>
  `greatest(0, extract(epoch from ${until} - ${column})::float8)`;

/** Whether a moment is longer ago than `age`, or so far ahead that the clock was set back since. */
export const isOverText = (column: string, age: string, now = 'now()'): string =>
  `(${column} < ${now} - interval '${age}' or ${column} > ${now} + interval '1 minute')`;
