import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStage, type Stage, skip } from '../stage.ts';

describe('The sandbox clock in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('a banner on every page says how far it was moved, and brings back the normal speed and the real time', async () => {
    const page = await stage.signedIn('/settings/sandbox');
    const banner = page.getByRole('complementary', { name: 'Sandbox clock' });
    await page.getByRole('button', { name: 'Step forward by 1 day' }).waitFor();
    assert.equal(await banner.count(), 0);
    await page.getByRole('button', { name: 'Step forward by 1 day' }).click();
    await banner.getByText(/1 day ahead of real time\./).waitFor();
    await page.getByRole('button', { name: '60 ×' }).click();
    await banner.getByText('It runs at 60 × speed.').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    await banner.getByRole('button', { name: 'Normal speed' }).click();
    await banner.getByRole('button', { name: 'Normal speed' }).waitFor({ state: 'hidden' });
    assert.equal((await stage.get('/v2/sandbox/clock/')).speed, 1);
    await banner.getByRole('button', { name: 'Back to real time' }).click();
    await banner.waitFor({ state: 'hidden' });
    assert.equal(Math.round((await stage.get('/v2/sandbox/clock/')).ahead_seconds), 0);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('who may only read sees it without the button, and who may not see the sandbox has none', async () => {
    await stage.post('/v2/sandbox/clock/', { speed: 0 });
    const tokenOf = async (scopes: string[]): Promise<string> =>
      (await stage.post('/v2/auth/tokens/', { name: scopes.join(), scopes })).token;
    const reader = await stage.signedIn('/contacts', {}, await tokenOf(['contacts:read', 'sandbox:read']));
    const banner = reader.getByRole('complementary', { name: 'Sandbox clock' });
    await banner.getByText('It is stopped.').waitFor();
    assert.equal(await banner.getByRole('button').count(), 0);
    await reader.context().close();
    const asked: string[] = [];
    const outsider = await stage.signedIn('/profile', {}, await tokenOf(['contacts:read']));
    outsider.on('request', (request) => void asked.push(request.url()));
    await outsider.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click();
    await outsider.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    assert.equal(await outsider.getByRole('complementary', { name: 'Sandbox clock' }).count(), 0);
    assert.deepEqual(
      asked.filter((url) => url.includes('/v2/sandbox/')),
      [],
    );
    await outsider.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
