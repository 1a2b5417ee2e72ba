import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

const sender = '+447700900001';

describe('Acting on many rows in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await stage.post('/v2/chatapp/accounts/', { carrier: 'sandbox', chatapp_number: sender });
    await stage.post('/v2/lists/', { name: 'Newsletter' });
    for (const [index, name] of ['Ana', 'Ben', 'Cleo', 'Dan', 'Eve'].entries()) {
      await stage.post('/v2/contacts/', { phone_number: `+44770010000${index}`, name });
      await stage.post('/v2/chatapp/leads/', {
        chatapp_number: sender,
        phone_number: `+44770010000${index}`,
        name: `Lead ${name}`,
      });
    }
  });
  after(() => stage?.close());

  const countOf = async (place: string): Promise<number> => (await stage.get(place)).count;
  const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  const barOf = (page: Page) => page.getByRole('toolbar', { name: 'Selected rows' });
  const close = async (page: Page): Promise<void> => {
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  };

  it('deletes contacts after some seconds, and not at all when it is undone', async () => {
    const page = await stage.signedIn('/contacts');
    const grid = page.getByRole('grid', { name: 'Contacts' });
    await select(page, 'Ana').check();
    await select(page, 'Ben').check();
    await barOf(page).getByText('2 selected').waitFor();
    await barOf(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 contacts deleted.').waitFor({ state: 'detached' });
    await grid.getByText('Ana', { exact: true }).waitFor();
    assert.equal(await countOf('/v2/contacts/'), 5);

    // By keyboard: Space chooses the row that is reached by the arrows.
    await grid.getByRole('row').nth(1).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await barOf(page).getByText('2 selected').waitFor();
    assert.equal(await grid.locator('[role=row][aria-selected=true]').count(), 2);
    await barOf(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 contacts deleted.').waitFor();
    // It is done also for who goes elsewhere.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Lists' }).click();
    await until('three are left', async () => (await countOf('/v2/contacts/')) === 3);
    const { results } = await stage.get('/v2/contacts/?ordering=name');
    assert.deepEqual(
      results.map(({ name }: { name: string }) => name),
      ['Ana', 'Ben', 'Cleo'],
    );
    await close(page);
  });

  it('adds contacts to a list, takes them off it, and opts them out', async () => {
    const page = await stage.signedIn('/contacts');
    await select(page, 'Ana').check();
    await barOf(page).getByRole('button', { name: 'Select all 3 loaded' }).click();
    await barOf(page).getByRole('button', { name: 'Add to list' }).click();
    await page.getByRole('menuitem', { name: 'Newsletter' }).click();
    const [list] = (await stage.get('/v2/lists/')).results;
    await until('all on the list', async () => (await countOf(`/v2/lists/${list.uuid}/contacts/`)) === 3);

    await page.goto(`${stage.url}/console/contacts?list=${list.uuid}`);
    await select(page, 'Ben').check();
    await barOf(page).getByRole('button', { name: 'Remove from Newsletter' }).click();
    await until('two on the list', async () => (await countOf(`/v2/lists/${list.uuid}/contacts/`)) === 2);

    await select(page, 'Ana').check();
    await barOf(page).getByRole('button', { name: 'Opt out' }).click();
    await page.getByRole('menuitem', { name: 'SMS' }).click();
    await until('one opted out', async () => (await countOf('/v2/opt-outs/?channel=SMS')) === 1);
    await close(page);
  });

  it('gives leads a status and an owner', async () => {
    const page = await stage.signedIn('/leads');
    await select(page, 'Lead Ana').check();
    await select(page, 'Lead Ben').check();
    await barOf(page).getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitem', { name: 'Won' }).click();
    await until('two are won', async () => (await countOf('/v2/chatapp/leads/?status=WON')) === 2);
    await select(page, 'Lead Cleo').check();
    await barOf(page).getByRole('button', { name: 'Assign', exact: true }).click();
    // Its list of suggestions has the same name.
    await page.getByLabel('Owner').and(page.locator('input')).last().fill('Ada');
    await page.keyboard.press('Enter');
    await until('one has an owner', async () => (await countOf('/v2/chatapp/leads/?owner=Ada')) === 1);
    await close(page);
  });

  it('cancels messages that wait, and only those', async () => {
    const send_at = new Date(Date.now() + 86_400_000).toISOString();
    const messages = [];
    for (const last of [1, 2])
      messages.push(
        await stage.post('/v2/chatapp/messages/', {
          chatapp_number: sender,
          to_chatapp_number: `+44770090050${last}`,
          type: 'TEXT',
          text: { body: `Later ${last}` },
          send_at,
        }),
      );
    const page = await stage.signedIn('/messages');
    await page.getByRole('checkbox', { name: /Later 1/ }).check();
    await barOf(page).getByRole('button', { name: 'Cancel 1 queued' }).click();
    await until('one is cancelled', async () => (await countOf('/v2/chatapp/messages/?status=CANCELLED')) === 1);
    assert.equal((await stage.get(`/v2/chatapp/messages/${messages[1].uuid}/`)).status, 'QUEUED');
    await page.getByRole('grid').getByText('Cancelled').waitFor();
    await close(page);
  });

  it('sends SMS that failed again once it is confirmed, and says why one is not', async () => {
    const [failing, unwilling] = ['+447700909010', '+447700919010'];
    const { number } = await stage.post('/v2/number/', { country_code: 'GB' });
    const sent = [];
    for (const [text, to] of [
      ['First', failing],
      ['Second', failing],
      ['Third', unwilling],
    ])
      sent.push(await stage.post('/v2/send-sms/', { from: number, to, text }));
    await until('all failed', async () => (await countOf('/v2/sms-records/?status=FAILED')) === 3);
    const { resent } = await stage.post('/v2/send-sms/resend/', { sms: [sent[0].uuid] });
    await until('that failed, too', async () => (await countOf('/v2/sms-records/?status=FAILED')) === 4);
    await stage.post('/v2/opt-outs/', { phone_number: unwilling, channel: 'SMS' });
    const page = await stage.signedIn('/sms?ordering=created');
    // The first was sent again already, and does not count.
    for (const name of [/First/, /Second/, /Third/]) await page.getByRole('checkbox', { name }).first().check();
    await barOf(page).getByRole('button', { name: 'Send 2 failed again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('1 SMS sent again.').waitFor();
    await page
      .getByText(/has opted out/)
      .first()
      .waitFor();
    await until('the other was sent again', async () => (await countOf('/v2/sms-records/?status=FAILED')) === 5);
    await page.goto(`${stage.url}/console/sms/${sent[0].uuid}`);
    await page.getByRole('link', { name: 'As another SMS' }).click();
    await page.waitForURL(`**/sms/${resent[0].sent_as}`);
    await close(page);
  });

  it('offers no boxes to who may only read', async () => {
    const { token } = await stage.post('/v2/auth/tokens/', { name: 'Reader', scopes: ['contacts:read'] });
    const page = await stage.signedIn('/contacts', {}, token);
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Ana', { exact: true }).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await close(page);
  });
});
