// What the pages of the console weigh. `WEIGH=all` weighs every page, `WEIGH=/,/calls` these; docs/console.md has the table it prints.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../kit/until.ts';
import { addressesOf } from './addresses.ts';
import { openSeededStage } from './seeded.ts';
import { type Stage, skip } from './stage.ts';
import { excessOf, firstOfAreas, tableOf, type Weight, weigh } from './weigh.ts';

describe('A page of the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openSeededStage();
  });
  after(() => stage?.close());

  it('loads no more than it should for its first paint', async () => {
    const [campaign] = (await stage.get('/v2/campaigns/')).results;
    const heavy = ['/campaigns/new', `/campaigns/${campaign.uuid}`, '/intros/new', '/routing/new'];
    const wanted = process.env['WEIGH'];
    const usual = [...firstOfAreas(), ...heavy];
    const addresses = wanted === 'all' ? await addressesOf(stage) : (wanted?.split(',') ?? usual);
    const weights: Weight[] = [];
    const context = (await stage.enter()).context();
    for (const address of addresses) {
      const page = await context.newPage();
      weights.push(await weigh(page, stage.url, address));
      await page.close();
    }
    await context.close();
    console.log(tableOf(weights));
    assert.deepEqual(weights.flatMap(excessOf), []);
  });

  it('asks what a filter offers when somebody goes to the filter', async () => {
    const page = await stage.signedIn('/sign-in');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${stage.url}/console/messages`);
    await page.getByRole('grid', { name: 'Messages' }).getByRole('row').nth(1).waitFor();
    assert.equal(asked.filter((place) => place === '/v2/campaign-logs/').length, 0);
    const [launch] = (await stage.get('/v2/campaign-logs/')).results;
    const filter = page.getByRole('combobox', { name: 'Campaign launch' });
    await filter.click();
    await page.getByRole('option').filter({ hasText: launch.name }).first().click();
    await page.waitForURL(/campaign_log=/);
    // A link brings it along: its name is asked for, too.
    await page.reload();
    await until('the filter names what is chosen', async () => (await filter.inputValue()).startsWith(launch.name));
    await page.context().close();
  });
});
