import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

describe('Safeguards in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  const post = async (path: string, body: object) => {
    const answer = await fetch(`${stage.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Token ${stage.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as { uuid: string } };
  };
  const sms = async (to: string): Promise<number> =>
    (await post('/v2/send-sms/', { from: 'Parley', to, text: 'Hello' })).status;

  it('are set, tested, and what they held is released', async () => {
    const page = await stage.signedIn('/settings/safeguards');
    await page.getByLabel('SMS pumping').fill('2');
    await page.getByLabel('One-time passwords used').fill('30');
    await page.getByRole('button', { name: 'Add a cap' }).click();
    await page.getByLabel('At most').fill('50');
    await page.getByLabel('Blocked prefixes').first().fill('+4490');
    await page.getByLabel('Blocked prefixes').first().press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();

    await page.getByPlaceholder('+44 20 7946 0000').fill('Parley');
    await page.getByPlaceholder('+44 7700 900123').fill('+44 909 879 0123');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('It would be refused (GB)').waitFor();
    await page.getByText('block numbers that begin with +4490').waitFor();

    assert.deepEqual([await sms('+447700900401'), await sms('+447700900402')], [201, 403]);
    await page.reload();
    // The list is loaded when it comes into sight.
    await until(async () => {
      const heading = page.getByRole('heading', { name: 'Refused' });
      await heading.scrollIntoViewIfNeeded();
      await page
        .getByText('Nothing was refused.')
        .or(page.getByRole('grid', { name: 'What safeguards refused' }))
        .first()
        .waitFor();
      if (await page.getByRole('button', { name: 'Release +447700900' }).isVisible()) return true;
      await page.reload();
      return false;
    });
    await page.getByRole('button', { name: 'Release +447700900' }).click();
    await page.getByText('Released').first().waitFor();
    await until(async () => (await sms('+447700900403')) === 201);
    await page.getByText('Begins with your first feedback.').waitFor();
  });

  it('shows on an SMS that its one-time password was used', async () => {
    const { body } = await post('/v2/send-sms/', {
      from: 'Parley',
      to: '+447700901501',
      text: '482913',
      sensitive: true,
    });
    assert.equal((await post(`/v2/send-sms/${body.uuid}/feedback/`, { outcome: 'CONFIRMED' })).status, 200);
    const page = await stage.signedIn(`/sms/${body.uuid}`);
    await page.getByText('Used by the person.').waitFor();
  });
});
