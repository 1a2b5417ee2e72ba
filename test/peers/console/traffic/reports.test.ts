import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

const business = '+44 20 7946 0991';

describe('Reports in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    for (const text of ['Hello', 'Are you there?', 'Never mind']) {
      await stage.post('/v2/sandbox/chatapp/messages/', {
        from: '+44 7700 900123',
        to: business,
        text: { body: text },
      });
    }
    for (const [index, source] of ['Radio', 'Radio', 'Web'].entries()) {
      const phone_number = `+44770090020${index}`;
      await stage.post('/v2/chatapp/leads/', { chatapp_number: business, phone_number, source });
    }
    await until('three messages', async () => (await stage.get('/v2/reports/?metric=messages')).total.count >= 3);
  });
  after(() => stage?.close());

  it('by source: each figure opens the list it was counted from', async () => {
    const page = await stage.signedIn('/reports?metric=leads&group_by=source');
    const table = page.getByRole('table', { name: 'Figures' });
    const radio = table.getByRole('row', { name: /Radio/ });
    await radio.waitFor();
    const listed = (await stage.get('/v2/chatapp/leads/?source=Radio')).count;
    assert.equal(await radio.getByRole('link').first().textContent(), String(listed));
    await radio.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page.waitForURL(/\/leads\?.*source=Radio/);
    await page.getByRole('grid', { name: 'Leads' }).getByText('Radio').first().waitFor();
    assert.equal(await page.getByRole('grid', { name: 'Leads' }).getByText('Web', { exact: true }).count(), 0);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('by day: the chart has a bar of the status in its colour, and the choice is in the address', async () => {
    const page = await stage.signedIn('/reports');
    await page.getByRole('combobox', { name: 'Report on' }).click();
    await page.getByRole('option', { name: 'Chat messages' }).click();
    await page.waitForURL(/metric=messages/);
    await page.getByRole('radiogroup', { name: 'Range' }).getByText('7 days').click();
    await page.waitForURL(/from=/);
    const figure = page.getByRole('figure', { name: 'Chat messages by day' });
    await figure.locator('rect[fill*="green"]').first().waitFor();
    assert.equal(await figure.getByRole('row').count(), 8);
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'No comparison' }).click();
    await page.waitForURL(/compare=none/);
    await page.getByRole('columnheader', { name: 'Change' }).waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'messages-by-day.csv');
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('the overview shows any days, and its figures lead to the lists of those days', async () => {
    const page = await stage.signedIn('/');
    await page.getByText('Today, as it happens.').waitFor();
    await page.getByRole('radiogroup', { name: 'Range' }).getByText('30 days').click();
    await page.getByText('These days at a glance.').waitFor();
    await page.getByText(/^Compared with /).waitFor();
    await page
      .getByRole('link', { name: /^Chat messages/ })
      .first()
      .click();
    await page.waitForURL(/\/messages\?from=[\d-]+&to=[\d-]+/);
    await page
      .getByRole('grid', { name: 'Messages' })
      .getByRole('gridcell', { name: 'Never mind', exact: true })
      .waitFor();
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('a schedule is made, its report is run, and the file can be downloaded', async () => {
    const page = await stage.signedIn('/reports');
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByRole('button', { name: 'New schedule' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New schedule' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Calls of the week');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const section = page.getByRole('region', { name: 'Calls of the week' });
    await section.getByText(/Calls by day\. Every Monday at 08:00\./).waitFor();
    await section.getByRole('button', { name: 'Run now' }).click();
    const link = section.getByRole('link', { name: 'Download' });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.equal(download.suggestedFilename(), 'reports.csv');
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
