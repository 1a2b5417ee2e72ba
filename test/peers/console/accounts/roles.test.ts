// What people of a role see, in a browser, and what the API says to them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { passwordOfAll } from '../../../kit/person.ts';
import { until } from '../../../kit/until.ts';
import { signIn } from '../browser.ts';
import { openStage, type Stage, skip } from '../stage.ts';

describe('People of a role', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  const enterAs = async (role: string, place: string): Promise<Page> => {
    await stage.post('/v2/users/', { username: role, password: passwordOfAll, role });
    const page = await stage.open();
    await page.goto(`${stage.url}/console${place}`);
    await signIn(page, { username: role, password: passwordOfAll });
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    return page;
  };
  const menuOf = async (page: Page): Promise<string[]> =>
    (await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).map((one) => one.trim());
  const statusOf = async (page: Page, place: string): Promise<number> =>
    (await page.request.get(stage.url + place)).status();

  it('an agent works in the inbox, and sees no numbers, campaigns, tokens or users', async () => {
    const sender = '+44 7700 900001';
    const heard = { from: '+44 7700 900987', to: sender, text: { body: 'Is it still free?' } };
    await stage.post('/v2/sandbox/chatapp/messages/', heard);
    const page = await enterAs('agent', '/conversations');
    await page.getByText('Is it still free?').first().waitFor();
    const menu = await menuOf(page);
    assert.ok(menu.includes('Conversations'), menu.join());
    const others = [
      'Reports',
      'Intros',
      'Flows',
      'Leads',
      'Numbers',
      'Calls',
      'SMS',
      'Routing',
      'Campaigns',
      'Jobs',
      'Webhooks',
    ];
    assert.deepEqual(
      menu.filter((entry) => others.includes(entry)),
      [],
    );
    for (const place of ['/v2/number/', '/v2/campaigns/', '/v2/auth/tokens/', '/v2/users/', '/v2/voice/calls/'])
      assert.equal(await statusOf(page, place), 403, place);
    assert.equal(await statusOf(page, '/v2/chatapp/conversations/'), 200);
    await page.goto(`${stage.url}/console/settings/users`);
    await page.getByText(/^You may not/).waitFor();
    assert.deepEqual(stage.problems, []);
    await page.context().close();
  });

  it('an analyst sees a call that was recorded, and can neither play nor download it', async () => {
    const uuid = await recordCall(stage);
    const call = `/v2/voice/calls/${uuid}/`;
    const owner = await stage.signedIn(`/calls/${uuid}`);
    await owner.getByRole('region', { name: 'Recording' }).waitFor();
    await owner.context().close();

    const page = await enterAs('analyst', `/calls/${uuid}`);
    await page.getByRole('heading', { level: 1, name: /→/ }).waitFor();
    await page.getByText('The recording began.').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Recording' }).count(), 0);
    assert.equal(await page.locator('audio').count(), 0);
    assert.equal(await statusOf(page, call), 200);
    assert.equal(await statusOf(page, `${call}recording/`), 403);
    assert.deepEqual(stage.problems, []);
    await page.context().close();
  });
});

/** Somebody calls a number that records, and the other side hangs up after a moment. */
async function recordCall(stage: Stage): Promise<string> {
  const settings = { target_number: '+447700909054', features: ['RECORD_CALL'] };
  const { number } = await stage.post('/v2/number/', { country_code: 'GB', ...settings });
  const { uuid } = await stage.post('/v2/sandbox/calls/', { from: '+447700900123', to: number });
  await until('the recording is there', async () => (await stage.get(`/v2/voice/calls/${uuid}/`)).recording_url);
  return uuid;
}
