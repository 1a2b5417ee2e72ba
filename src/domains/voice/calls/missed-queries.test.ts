import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { newId } from '../../../platform/ids.ts';
import { changeCalls } from '../queries.ts';
import { takeMissedAnyAccount } from './missed-queries.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const number = '442079461000';

async function end(caller: string, result: string, { direction = 'INBOUND', status = 'ENDED' } = {}): Promise<string> {
  const uuid = newId();
  const { accountId, deps } = app;
  await sql`
    insert into calls (account_id, uuid, direction, carrier, number, number_digits, from_number, to_number, from_digits, status)
    values (${accountId}, ${uuid}, ${direction}, 'sandbox', '', ${number}, '', '', ${caller}, 'RINGING')`.execute(
    deps.db,
  );
  // The second time it is over already.
  for (const _ of [1, 2]) await changeCalls(deps.db, [{ accountId, uuid, changes: { status, result }, events: [] }]);
  return uuid;
}

it('callers who did not get through are there to be taken, each call once; all others are not', async () => {
  const missed: [string, string][] = [];
  for (const [index, result] of ['MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'FAILED'].entries()) {
    const caller = `44770090060${index}`;
    missed.push([caller, await end(caller, result)]);
  }
  await end('447700900610', 'ANSWERED');
  await end('447700900611', 'REJECTED');
  await end('', 'MISSED');
  await end('447700900612', 'MISSED', { direction: 'OUTBOUND' });
  await end('447700900613', 'MISSED', { status: 'RINGING' });
  const first = await takeMissedAnyAccount(app.deps.db, 2);
  assert.equal(first.length, 2);
  const taken = [...first, ...(await takeMissedAnyAccount(app.deps.db, 500))];
  assert.deepEqual(
    taken.map(({ accountId, number, caller, call }) => ({ accountId, number, caller, call })),
    missed.map(([caller, call]) => ({ accountId: app.accountId, number, caller, call })),
  );
  assert.deepEqual(await takeMissedAnyAccount(app.deps.db, 500), []);
});
