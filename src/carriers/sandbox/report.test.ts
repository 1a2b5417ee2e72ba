import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { keepTaken } from './queries.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

it('receipts of an account that has a thousand give way to others; those of one that has few do not', async (t) => {
  const { db, log, foreground } = app.deps;
  const ways = t.mock.method(foreground, 'giveWay');
  const message = { senderNumber: '+447700900001', toNumber: '+447700900123', type: 'TEXT', content: {} };
  const take = (accountId: string, count: number): Promise<boolean> => {
    const dueAt = new Date();
    const some = Array.from({ length: count }, () => ({
      message: { ...message, accountId, uuid: newId() },
      id: newId(),
      dueAt,
    }));
    return keepTaken(db, log, some);
  };
  const hasPending = async (): Promise<boolean> =>
    (await db.selectFrom('sandbox_messages').select('message').where('due_at', 'is not', null).limit(1).execute())
      .length > 0;
  const end = foreground.begin(newId());
  assert.ok(await take(app.accountId, 10));
  await until(async () => !(await hasPending()));
  assert.equal(ways.mock.callCount(), 0);
  assert.ok(await take(app.accountId, 2100));
  await until(async () => !(await hasPending()));
  end();
  assert.ok(ways.mock.calls.length > 0);
  for (const { arguments: given } of ways.mock.calls) assert.equal(given[0], app.accountId);
});
