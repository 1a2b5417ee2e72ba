import { Registry } from 'prom-client';
import { tasks } from '../../../src/app.ts';
import { makeCarriers } from '../../../src/carriers/ports/carriers.ts';
import { makeSandbox } from '../../../src/carriers/sandbox/index.ts';
import { ensureNumberPool } from '../../../src/domains/numbers/index.ts';
import { openDatabase } from '../../../src/platform/db/connect/database.ts';
import { startListener } from '../../../src/platform/db/connect/listener.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { makeObserver } from '../../../src/platform/observe/observer.ts';
import type { PostgresConnection } from '../../../src/platform/postgres/index.ts';
import { makeQueue } from '../../../src/platform/queue/queue.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { makeForeground } from '../../../src/platform/work/foreground.ts';

/**
 * What every first start puts into its database, whoever starts: the queues of tasks and the sandbox's numbers to buy. That is most
 * of what a first start costs the database, so test databases are copied with it.
 */
export async function fillTemplate(connection: PostgresConnection): Promise<void> {
  const log = makeLog({ level: 'error', pretty: false });
  const database = openDatabase(connection, log, { statementMs: 30_000, lockMs: 10_000 });
  const listener = await startListener(connection, log);
  const queue = makeQueue({ pool: database.backgroundPool, listener, log });
  try {
    const observer = makeObserver(new Registry());
    const sandbox = makeSandbox({
      db: database.background,
      listener,
      clock: systemClock,
      log,
      observer,
      foreground: makeForeground(),
    });
    await ensureNumberPool(database.background, makeCarriers([sandbox]));
    await queue.start(tasks, {} as never, { work: false });
  } finally {
    await queue.stop();
    await listener.close();
    await database.close();
  }
}
