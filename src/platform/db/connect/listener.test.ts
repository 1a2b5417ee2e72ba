import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase, makeTestPool } from '../../../../test/kit/database.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeLog } from '../../log.ts';
import { startListener } from './listener.ts';

test('a table that somebody has locked keeps neither loops nor notices waiting', async (t) => {
  const lines: string[] = [];
  const log = makeLog({ level: 'warn', pretty: false, to: { write: (line) => void lines.push(line) } });
  const database = await createTestDatabase();
  const pool = makeTestPool(database.connection, 1);
  const listener = await startListener(database.connection, log);
  const other = await startListener(database.connection, log);
  t.after(async () => {
    await Promise.all([listener.close(), other.close(), pool.end()]);
    await database.drop();
  });

  const locker = await pool.connect();
  await locker.query('begin; lock table jobs');
  let looks = 0;
  listener.poll.watch('exists (select from jobs)').listen(() => looks++);
  let heard = 0;
  other.on('a topic', () => heard++);
  await until('loops look by themselves, as it cannot be asked', () => looks >= 2);
  listener.signal('a topic', '');
  await until('the notice is heard', () => heard > 0);

  await locker.query('rollback');
  locker.release();
  const { rows } = await pool.query<{ sessions: number }>(
    "select count(*)::int as sessions from pg_locks where locktype = 'advisory' and objid in ($1, $2)",
    [listener.workerNumber, other.workerNumber],
  );
  assert.equal(rows[0]!.sessions, 2);
  assert.deepEqual(lines, [], 'neither session was lost meanwhile');
});
