// Two people, one object; a form that is left; a draft that comes back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStage, type Stage, skip } from '../stage.ts';

describe('Editing that forgives, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('a save that another save overtook is not made: both changes are kept, or one is chosen', async () => {
    const { uuid } = await stage.post('/v2/contacts/', { phone_number: '+447700900301', name: 'Ana' });
    const first = await stage.signedIn(`/contacts/${uuid}/edit`);
    const second = await first.context().newPage();
    await second.goto(`${stage.url}/console/contacts/${uuid}/edit`);
    for (const page of [first, second]) await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();

    await second.getByRole('textbox', { name: 'Language' }).fill('pt_PT');
    await first.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Silva');
    await first.getByRole('button', { name: 'Save' }).click();
    await first.getByRole('heading', { level: 1, name: 'Ana Silva' }).waitFor();

    await second.getByRole('button', { name: 'Save' }).click();
    const dialog = second.getByRole('dialog', { name: 'Somebody changed this meanwhile' });
    await dialog.getByRole('row', { name: /Name\s+Ana Silva\s+Ana/ }).waitFor();
    await dialog.getByRole('button', { name: 'Review their version' }).click();
    await second.getByText('Their version, with your changes').waitFor();
    assert.equal(await second.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Ana Silva');
    assert.equal(await second.getByRole('textbox', { name: 'Language' }).inputValue(), 'pt_PT');
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByRole('heading', { level: 1, name: 'Ana Silva' }).waitFor();
    const both = await stage.get(`/v2/contacts/${uuid}/`);
    assert.deepEqual([both.name, both.language_code], ['Ana Silva', 'pt_PT']);

    await first.goto(`${stage.url}/console/contacts/${uuid}/edit`);
    await second.goto(`${stage.url}/console/contacts/${uuid}/edit`);
    await first.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana M. Silva');
    await second.getByRole('textbox', { name: 'Name', exact: true }).fill('A. Silva');
    await first.getByRole('button', { name: 'Save' }).click();
    await first.getByRole('heading', { level: 1, name: 'Ana M. Silva' }).waitFor();
    await second.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await second.getByRole('heading', { level: 1, name: 'A. Silva', exact: true }).waitFor();
    assert.equal((await stage.get(`/v2/contacts/${uuid}/`)).name, 'A. Silva');
  });

  it('a draft survives a reload and can be discarded, and leaving asks first', async () => {
    const page = await stage.signedIn('/routing/new');
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
    await name.fill('Front desk');
    await page.reload();
    await page.getByText('Draft restored').waitFor();
    assert.equal(await name.inputValue(), 'Front desk');

    const away = page.getByRole('navigation').getByRole('link', { name: 'Contacts' });
    await away.click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await name.inputValue(), 'Front desk');
    await away.click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();

    await page.goto(`${stage.url}/console/routing/new`);
    await page.getByText('Draft restored').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Draft restored').waitFor({ state: 'detached' });
    assert.equal(await name.inputValue(), '');
    await page.reload();
    await name.waitFor();
    assert.equal(await page.getByText('Draft restored').count(), 0);
  });

  it('a draft of something that was changed since does not undo the change', async () => {
    const { uuid } = await stage.post('/v2/routing-configs/', {
      name: 'Night desk',
      channel: 'VOICE',
      routes: [{ destination: { type: 'HANGUP' } }],
    });
    const page = await stage.signedIn(`/routing/${uuid}`);
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
    await name.fill('Night desk, mine');
    const change = await fetch(`${stage.url}/v2/routing-configs/${uuid}/`, {
      method: 'PATCH',
      headers: { authorization: `Token ${stage.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: false }),
    });
    assert.equal(change.status, 200);
    await page.reload();
    await page.getByText('Draft restored').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' });
    await dialog.getByRole('row', { name: /Enabled\s+No\s+Yes/ }).waitFor();
    await dialog.getByRole('button', { name: 'Review their version' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { name: saved, enabled } = await stage.get(`/v2/routing-configs/${uuid}/`);
    assert.deepEqual([saved, enabled], ['Night desk, mine', false]);
  });

  it('nothing went wrong on any page', () => assert.deepEqual(stage.problems, []));
});
