import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { campaigner } from '../../../../test/kit/campaigns/campaigner.ts';
import { until } from '../../../../test/kit/until.ts';
import { startCampaigns } from './feeder.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

it('a launch gives way before each step but the first', async (t) => {
  const a = campaigner(app);
  const numbers = Array.from({ length: 450 }, (_, index) => `+4477009${String(index).padStart(5, '0')}`);
  const campaign = await a.campaign([await a.list(numbers)]);
  const seen: string[] = [];
  const foreground = {
    begin: () => () => {},
    isShared: () => false,
    async giveWay(accountId: string) {
      const { queued } = await a.log(launch);
      seen.push(`${accountId === app.accountId} ${queued > 0}`);
    },
  };
  const feeder = startCampaigns({ ...app.deps, foreground });
  t.after(() => feeder.stop());
  const launch = await a.launch(campaign);
  await until(() => seen.length > 0);
  assert.equal(seen[0], 'true true', 'some have been sent by then');
});
