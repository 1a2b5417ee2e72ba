import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStage, type Stage, skip } from '../stage.ts';

describe('What the console says before something is sent', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('a campaign: who is left out, what is missing, what it costs, who already got it, and who paused it', async () => {
    const list = await stage.post('/v2/lists/', { name: 'Brochure' });
    const people = [
      { phone_number: '+447700900201', name: 'Ana Lopez', attributes: { city: 'York' } },
      { phone_number: '+447700900202', name: 'Ben Hall' },
      { phone_number: '+447700900203', name: 'Cem Kaya', attributes: { city: 'Leeds' } },
    ];
    for (const person of people) await stage.post('/v2/contacts/', { ...person, lists: [list.uuid] });
    await stage.post('/v2/opt-outs/', { phone_number: '+447700900203', channel: 'SMS' });
    const campaign = await stage.post('/v2/campaigns/', {
      name: 'Autumn offer',
      channel: 'SMS',
      sender: 'Parley',
      lists: [list.uuid],
      text: 'Hello {{ first_name }} in {{ cty }}, new in {{ city }}',
    });
    const page = await stage.signedIn('/settings/account');
    await page.getByRole('textbox', { name: 'Currency' }).fill('gbp');
    await page.getByRole('textbox', { name: 'SMS part' }).fill('0.05');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();

    await page.goto(`${stage.url}/console/campaigns/${campaign.uuid}/edit`);
    await page.getByRole('button', { name: 'Save and review' }).click();
    const missing = page.getByRole('table', { name: 'Missing values' });
    await missing.getByText('Did you mean city?').waitFor();
    await missing.getByRole('link', { name: 'Ben Hall' }).last().waitFor();
    await page.getByText('1 opted out').waitFor();
    await page.getByText('About £0.10').waitFor();
    await page.getByText('2 (1 each)').waitFor();

    await page.getByRole('textbox', { name: 'Your number' }).fill('+44 7700 900209');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Sent, without').waitFor();

    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText(/It will go to 2 people; 1 has opted out\./).waitFor();
    await question.getByText(/No recipient has a value for \{\{ cty \}\}/).waitFor();
    await question.getByRole('button', { name: 'Launch', exact: true }).click();
    await page.getByText('Completed').first().waitFor();
    await page.getByRole('button', { name: 'Launch again' }).click();
    await page.getByRole('dialog').getByText('2 people already got it from an earlier launch').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    await stage.post(`/v2/campaigns/${campaign.uuid}/launch/`, { send_at: '2090-01-01T00:00:00Z' });
    await page.reload();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/^Paused by /).waitFor();
    assert.equal(await page.getByText('It paused itself').count(), 0);
    assert.deepEqual(stage.problems, []);
  });

  it('a routing is tried as it is on the screen, before it is saved', async () => {
    const page = await stage.signedIn('/routing/new');
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Front desk');
    await page.getByRole('checkbox', { name: 'Use a fallback' }).check();
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('At ', { exact: false }).first().waitFor();
    const { count } = await stage.get('/v2/routing-configs/');
    assert.equal(count, 0);
    assert.deepEqual(stage.problems, []);
  });

  it('an intro: placeholders that nothing fills, beside those that are known, and a flow without screens', async () => {
    const chatapp_number = '+447700900001';
    await stage.post('/v2/chatapp/accounts/', { carrier: 'sandbox', chatapp_number });
    const flow = await stage.post('/v2/chatapp/flows/', {
      chatapp_number,
      name: 'viewing',
      category: 'LEAD_GENERATION',
    });
    const intro = await stage.post('/v2/chatapp/chat-intros/', {
      chatapp_number,
      reference_id: 'mill-lane',
      reply_type: 'FLOW',
      reply_data: {
        type: 'flow',
        body: { text: 'Hello {{APartyDataContactNam}}, when do you want to see {{Property}}?' },
        action: { name: 'flow', parameters: { flow_name: 'viewing', flow_cta: 'Choose' } },
      },
      extra_variable_data: { Property: '12 Mill Lane' },
    });
    const page = await stage.signedIn(`/intros/${intro.uuid}/edit`);
    await page.getByText('This flow has no screens').waitFor();
    assert.equal(
      await page.getByRole('link', { name: 'Open the flow' }).getAttribute('href'),
      `/console/flows/${flow.uuid}`,
    );
    const unknown = page.getByRole('alert').filter({ hasText: 'Placeholders without a value' });
    await unknown.getByText(/^\{\{APartyDataContactNam\}\} will be empty/).waitFor();
    await unknown.getByText(/Known: .*\{\{Property\}\}.*\{\{APartyDataContactName\}\}/).waitFor();
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('a number: features that are on and have nothing to play', async () => {
    const { number } = await stage.post('/v2/number/', { country_code: 'GB' });
    const page = await stage.signedIn(`/numbers/${encodeURIComponent(number)}`);
    await page.getByRole('switch', { name: 'Whisper' }).check();
    await page.getByText('There is no audio: whoever answers hears nothing.').waitFor();
    await page.getByRole('switch', { name: 'Speak a text' }).check();
    await page.getByText('There is no text: callers hear nothing.').waitFor();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Welcome.');
    await page.getByText('There is no text: callers hear nothing.').waitFor({ state: 'detached' });
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
