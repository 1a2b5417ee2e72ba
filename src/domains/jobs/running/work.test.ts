import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { stageOf } from '../../../../test/kit/jobs/job-stage.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

it('jobs of several steps give way between two of them, and those of one do not', async (t) => {
  const ways = t.mock.method(app.deps.foreground, 'giveWay');
  const stage = stageOf(app);
  const importOf = (count: number, from: number) => ({
    opt_outs: Array.from({ length: count }, (_, index) => ({
      phone_number: `+4477${String(from + index).padStart(8, '0')}`,
    })),
  });
  assert.equal((await stage.ended(await stage.submit('opt_outs.import', importOf(3, 0)))).status, 'SUCCEEDED');
  assert.equal(ways.mock.callCount(), 0);
  assert.equal((await stage.ended(await stage.submit('opt_outs.import', importOf(1001, 10)))).status, 'SUCCEEDED');
  assert.deepEqual(
    ways.mock.calls.map(({ arguments: given }) => given),
    [[app.accountId], [app.accountId]],
  );
});
