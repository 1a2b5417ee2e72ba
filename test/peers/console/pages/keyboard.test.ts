// Without a mouse: only keys are pressed here.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../kit/until.ts';
import { hasFocus, isFocused } from '../in-page.ts';
import { openStage, type Stage, skip } from '../stage.ts';

/** Presses a key until something has the focus, as somebody does who sees where it goes. */
async function pressTo(page: Page, target: Locator, key = 'Tab', most = 150): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; !(await target.evaluate(isFocused)); pressed++) {
    assert.ok(pressed < most, `${key} does not lead to ${target}`);
    await page.keyboard.press(key);
  }
}

/** Goes to a field and types into it. */
async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await pressTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Goes to a button or a link and presses it. */
async function press(page: Page, target: Locator): Promise<void> {
  await pressTo(page, target);
  await page.keyboard.press('Enter');
}

/** Goes to a field with options and takes the first of them. */
async function takeFirst(page: Page, field: Locator, option: RegExp): Promise<void> {
  await pressTo(page, field);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: option }).waitFor();
  // It may have opened with the first option chosen already.
  if ((await field.getAttribute('aria-activedescendant')) === null) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

const business = '+447700900001';

describe('The console by keyboard', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await stage.post('/v2/chatapp/accounts/', { chatapp_number: business, carrier: 'sandbox' });
  });
  after(() => stage?.close());

  it('gives the focus back to the button of the menu when a dialog of the menu is closed', async () => {
    const { uuid } = await stage.post('/v2/lists/', { name: 'Viewings' });
    // Dialogs and menus come and go in their own time.
    const page = await stage.signedIn(`/lists/${uuid}`, { reducedMotion: 'no-preference' });
    const more = page.getByRole('button', { name: 'More' });
    await pressTo(page, more);
    for (const item of ['Rename', 'Delete']) {
      await page.keyboard.press('Enter');
      await pressTo(page, page.getByRole('menuitem', { name: item }), 'ArrowDown');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: `${item} the list` });
      await dialog.waitFor();
      // A dialog is closed by its key once the focus is in it.
      await until(`the focus is in the dialog of ${item}`, () => dialog.evaluate(hasFocus));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await until(`the focus is back after ${item}`, () => more.evaluate(isFocused));
    }
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('answers in a conversation, and the next answer can be typed at once', async () => {
    const person = '+447700900455';
    await stage.post('/v2/sandbox/chatapp/messages/', {
      from: person,
      to: business,
      text: { body: 'Is it still free?' },
    });
    const place = `/conversations/${encodeURIComponent(business)}/${encodeURIComponent(person)}`;
    const page = await stage.signedIn(place);
    await page.getByText('Is it still free?').last().waitFor();
    const reply = page.getByRole('textbox', { name: 'Your reply' });
    for (const text of ['Yes, it is.', 'Come and see it.']) {
      await typeInto(page, reply, text);
      await page.keyboard.press('Enter');
      await until('it was sent', async () => {
        const { results } = await stage.get(`/v2/chatapp/messages/?to_chatapp_number=${encodeURIComponent(person)}`);
        return results.some((message: { message_data: object }) => JSON.stringify(message.message_data).includes(text));
      });
      await until('the focus is in the field', () => reply.evaluate(isFocused));
      await until('the field is empty', async () => (await reply.inputValue()) === '');
    }
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('changes a routing', async () => {
    const routes = [
      { name: 'First', destination: { type: 'HANGUP' } },
      { name: 'Second', destination: { type: 'HANGUP' } },
    ];
    const { uuid } = await stage.post('/v2/routing-configs/', { name: 'Desk', channel: 'VOICE', routes });
    const page = await stage.signedIn(`/routing/${uuid}`);
    await typeInto(page, page.getByRole('textbox', { name: 'Name', exact: true }).first(), 'Front desk');
    // The handles move routes once the library for it has come.
    const handle = page.getByRole('button', { name: 'Move First' });
    await until('routes can be moved', async () => (await handle.getAttribute('aria-roledescription')) === 'sortable');
    await handle.focus();
    await page.keyboard.press('Space');
    await page.getByText(/^First is (picked up, at|over) place 1/).waitFor({ state: 'attached' });
    await until('it is over the second', async () => {
      await page.keyboard.press('ArrowDown');
      return (await page.getByText('First is over place 2 of 2.').count()) > 0;
    });
    await page.keyboard.press('Space');
    await page.getByText('First was put down at place 2.').waitFor({ state: 'attached' });
    await press(page, page.getByRole('button', { name: 'Save' }));
    const saved = await until(
      () => stage.get(`/v2/routing-configs/${uuid}/`),
      ({ name }) => name === 'Front desk',
    );
    assert.deepEqual(
      saved.routes.map(({ name }: { name: string }) => name),
      ['Second', 'First'],
    );
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('makes an intro', async () => {
    const page = await stage.signedIn('/intros/new');
    await typeInto(page, page.getByRole('combobox', { name: 'Chat-app number' }), business);
    await page.keyboard.press('Escape');
    await typeInto(page, page.getByLabel('Expected message').first(), 'Hello, is 12 Mill Lane still free?');
    await typeInto(page, page.getByRole('textbox', { name: 'Text', exact: true }), 'Yes. When do you want to see it?');
    await press(page, page.getByRole('button', { name: 'Create' }));
    await page.getByRole('list', { name: 'Funnel' }).waitFor();
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('launches a campaign', async () => {
    const components = [{ type: 'BODY', text: 'Our open day is on Friday.' }];
    const template = {
      chatapp_number: business,
      name: 'open_day',
      language_code: 'en_GB',
      category: 'MARKETING',
      components,
    };
    await stage.post('/v2/chatapp/message-templates/', template);
    const { uuid: list } = await stage.post('/v2/lists/', { name: 'Visitors' });
    await stage.post('/v2/contacts/', { phone_number: '+447700901499', name: 'Ana', lists: [list] });
    await until('the template is approved', async () => {
      const { results } = await stage.get('/v2/chatapp/message-templates/?status=APPROVED');
      return results.length > 0;
    });
    const page = await stage.signedIn('/campaigns/new');
    const next = () => press(page, page.getByRole('button', { name: 'Next' }));
    await typeInto(page, page.getByRole('textbox', { name: 'Name' }), 'Open day');
    await takeFirst(page, page.getByRole('combobox', { name: 'Sender', exact: true }), /7700 900001/);
    await next();
    await takeFirst(page, page.getByRole('combobox', { name: 'Lists', exact: true }), /Visitors/);
    await page.keyboard.press('Escape');
    await next();
    await takeFirst(page, page.getByRole('combobox', { name: 'Template', exact: true }), /open_day/);
    await next();
    await press(page, page.getByRole('button', { name: 'Save and review' }));
    await page.getByText('It is saved.').waitFor();
    await press(page, page.getByRole('button', { name: 'Launch', exact: true }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Launch', exact: true }));
    await page.getByText('Completed').first().waitFor();
    const { results } = await stage.get('/v2/campaign-logs/');
    assert.deepEqual([results[0].status, results[0].audience], ['COMPLETED', 1]);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
