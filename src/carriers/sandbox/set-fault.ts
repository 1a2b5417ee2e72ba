import { type Listener, notify } from '../../platform/db/listener.ts';
import type { Db } from '../../platform/db/pool.ts';
import { type FaultRow, insertFault } from './fault-queries.ts';
import { faultTopic } from './faults.ts';

/** Makes the next hand-overs of an account end in a certain way. */
export async function setFault(
  { db, listener }: { db: Db; listener: Listener },
  accountId: string,
  fault: { kind: string; count: number },
): Promise<FaultRow> {
  const row = await insertFault(db, accountId, fault);
  // With the commit for every process; and in this one before the caller has the answer and sends a message.
  await notify(db, faultTopic);
  listener.signal(faultTopic, '');
  return row;
}
