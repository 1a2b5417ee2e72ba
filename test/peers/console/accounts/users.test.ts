// Users come by an invitation, change what is their own, and get no further than their role.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { passwordOfAll } from '../../../kit/person.ts';
import { until } from '../../../kit/until.ts';
import { signIn } from '../browser.ts';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

const ownPassword = 'a long pass phrase';

describe('Users', { skip, timeout: 1_800_000 }, () => {
  let stage: OwnStage;
  before(async () => {
    stage = await openOwnStage();
  });
  after(() => stage?.close());

  const isInside = (page: Page) => page.getByRole('navigation', { name: 'Main' }).waitFor();

  it('are invited with a link, which makes one user with a role, once', async () => {
    const owner = await stage.signedIn('/settings/invitations/new');
    await owner.getByLabel('E-mail').fill('bo@example.com');
    await owner.getByRole('button', { name: 'Make a link' }).click();
    const link = (await owner.locator('[data-secret]').textContent())!;
    const page = await stage.open();
    await page.goto(link);
    await page.getByText(/^You are invited to .* as agent\.$/).waitFor();
    assert.equal(await page.getByLabel('User name').inputValue(), 'bo@example.com');
    await page.getByLabel('Full name').fill('Bo Larsen');
    await page.getByRole('textbox', { name: 'Password' }).fill('Password2026!');
    await page.getByRole('button', { name: 'Join and sign in' }).click();
    await page.getByText('This password is too common.').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(ownPassword);
    await page.getByRole('button', { name: 'Join and sign in' }).click();
    await isInside(page);
    await page.context().close();

    const again = await stage.open();
    await again.goto(link);
    await again.getByText('This link was used already, was revoked, or has expired. Ask for another.').waitFor();
    await again.context().close();
    await owner.goto(`${stage.url}/console/settings/users`);
    await owner.getByRole('grid', { name: 'Users' }).getByText('Bo Larsen').waitFor();
    await owner.context().close();
  });

  it('change their name and their password in the profile', async () => {
    await stage.post('/v2/users/', { username: 'cleo', password: passwordOfAll, role: 'agent' });
    const page = await stage.open();
    await page.goto(`${stage.url}/console/profile`);
    await signIn(page, { username: 'cleo', password: passwordOfAll });
    await page.getByLabel('Full name').fill('Cleo Marsh');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('combobox', { name: 'Time zone' }).or(page.getByLabel('Time zone')).first().fill('Asia/Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until('the sessions show the time of Tokyo', async () =>
      (await page.locator('table time').first().getAttribute('title'))?.includes('GMT+9'),
    );
    await changePassword(page, passwordOfAll);
    await page.getByText('The password is changed.').waitFor();
    const { results } = await stage.get('/v2/users/?page_size=200');
    assert.ok(results.some((one: { full_name: string }) => one.full_name === 'Cleo Marsh'));
    await page.context().close();
  });

  it('choose in the profile what the browser notifies them of', async () => {
    await stage.post('/v2/users/', { username: 'eli', password: passwordOfAll, role: 'supervisor' });
    const page = await stage.open();
    await page.context().grantPermissions(['notifications'], { origin: stage.url });
    // A browser without a window shows none, and looks at all of its tabs.
    await page.addInitScript(() => {
      const shown: string[] = [];
      class Notice {
        static permission = 'granted';
        static requestPermission = () => Promise.resolve('granted');
        constructor(title: string) {
          shown.push(title);
        }
      }
      Object.assign(globalThis, { Notification: Notice, shown });
      const { document } = globalThis as unknown as { document: object };
      Object.defineProperty(document, 'hidden', { get: () => true });
    });
    await page.goto(`${stage.url}/console/profile`);
    await signIn(page, { username: 'eli', password: passwordOfAll });
    const choice = page.getByRole('switch', { name: 'New messages' });
    await choice.click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await page.getByRole('status', { name: /^Live/ }).waitFor();
    assert.ok(await choice.isChecked());
    const heard = { from: '+44 7700 900987', to: '+44 7700 900001', text: { body: 'Is it still free?' } };
    await stage.post('/v2/sandbox/chatapp/messages/', heard);
    await until('the browser told of it', async () =>
      (await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)).includes('New message'),
    );
    await page.context().close();
  });

  it('are given a link to set another password', async () => {
    const { uuid } = await stage.post('/v2/users/', { username: 'dana', password: passwordOfAll, role: 'agent' });
    const owner = await stage.signedIn(`/settings/users/${uuid}`);
    await owner.getByRole('button', { name: 'Reset password' }).click();
    await owner.getByRole('button', { name: 'Make a link' }).click();
    const link = (await owner.locator('[data-secret]').textContent())!;
    await owner.context().close();
    const page = await stage.open();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(ownPassword);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await isInside(page);
    await page.context().close();
  });

  it('create a token for one number, with an end and no more scopes than chosen, and see what it did', async () => {
    const page = await stage.signedIn('/settings/tokens/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop in Leeds');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Choose at least one scope.').waitFor();
    await page.getByRole('checkbox', { name: 'Write Contacts' }).check();
    await page.getByRole('checkbox', { name: 'Write SMS' }).check();
    await page.getByLabel('Only for these numbers').first().fill('+442079460000');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create' }).click();
    const token = (await page.locator('[data-secret]').textContent())!;
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const list = page.getByRole('grid', { name: 'Tokens' });
    await list.getByText('Only +442079460000').waitFor();
    const [made] = (await stage.get('/v2/auth/tokens/?kind=API')).results;
    assert.deepEqual([made.scopes, made.resources], [['contacts:write', 'sms:write'], ['+442079460000']]);
    assert.ok(made.expires, 'it has an end');

    const ask = (place: string, body: object) =>
      page.request.post(stage.url + place, { headers: { authorization: `Token ${token}` }, data: body });
    assert.equal(
      (await ask('/v2/send-sms/', { from: '+442079460009', to: '+447700900123', text: 'Hi' })).status(),
      403,
    );
    assert.equal((await ask('/v2/contacts/', { phone_number: '+447700900123' })).status(), 403);

    const free = await stage.post('/v2/auth/tokens/', { name: 'Importer', scopes: ['contacts:write'] });
    const headers = { authorization: `Token ${free.token}` };
    const contact = { phone_number: '+447700900123' };
    assert.equal((await page.request.post(`${stage.url}/v2/contacts/`, { headers, data: contact })).status(), 201);
    await page.reload();
    await page.getByRole('link', { name: 'Activity of Importer' }).click();
    const log = page.getByRole('grid', { name: 'Audit log' });
    await log.getByText('POST /v2/contacts/').waitFor();
    assert.equal(await log.getByText('POST /v2/auth/tokens/').count(), 0);
    await page.context().close();
  });

  it('who have the printed password are reminded on the machine itself, and choose another elsewhere first', async () => {
    const page = await stage.open();
    await page.goto(`${stage.url}/console/`);
    await signIn(page, stage.user);
    await isInside(page);
    await page.getByText('You use the password that the first start printed.').waitFor();
    await page.context().close();

    const elsewhere = await stage.open();
    await elsewhere.goto(`${stage.url.replace('127.0.0.1', 'elsewhere.test')}/console/`);
    await signIn(elsewhere, stage.user);
    await elsewhere.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    assert.equal(await elsewhere.getByRole('navigation', { name: 'Main' }).count(), 0);
    await changePassword(elsewhere, stage.user.password);
    await isInside(elsewhere);
    await elsewhere.context().close();
  });
});

async function changePassword(page: Page, current: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Current password' }).fill(current);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(ownPassword);
  await page.getByRole('textbox', { name: 'New password again' }).fill(ownPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
}
