import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { assertAddsUp, campaigner } from '../../../../test/kit/campaigns/campaigner.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
before(async () => {
  app = await startTestApp();
  a = campaigner(app);
});
after(() => app.close());

describe('a launch', () => {
  test('goes to everybody on the list, filled in for each, and is completed when all has left', async () => {
    const list = await a.list([]);
    await a.make('/v2/contacts/', {
      phone_number: '+447700900501',
      name: 'Ana Lovelace',
      attributes: { City: 'Leeds' },
      lists: [list],
    });
    await a.make('/v2/contacts/', { phone_number: '+447700900502', lists: [list] });
    const campaign = await a.campaign([list], {
      template: {
        template_name: 'viewing',
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: '{{ first_name }}' },
              { type: 'text', text: '{{city}}' },
            ],
          },
        ],
      },
      fallbacks: { 'First Name': 'there' },
      meta_data: { cause: 'May' },
    });
    assert.equal((await app.call('GET', `/v2/campaigns/${campaign}/`)).body.status, 'DRAFT');
    const uuid = await a.launch(campaign);
    const log = await a.until(uuid, a.ended('COMPLETED'));
    assertAddsUp(log);
    assert.deepEqual([log.audience, log.skipped, log.failed, log.campaign], [2, 0, 0, campaign]);
    assert.ok(log.started && log.finished);
    const messages = (await app.call('GET', `/v2/chatapp/messages/?campaign_log=${uuid}&ordering=created`)).body
      .results;
    const texts = messages.map((message: { message_data: { components: { parameters: { text: string }[] }[] } }) =>
      message.message_data.components[0]!.parameters.map(({ text }) => text),
    );
    assert.deepEqual(texts, [
      ['Ana', 'Leeds'],
      ['there', '-'],
    ]);
    assert.deepEqual(messages[0].meta_data, { cause: 'May' });
    const read = await a.until(uuid, (now) => now.read === 2);
    assertAddsUp(read);
    const shown = (await app.call('GET', `/v2/campaigns/${campaign}/`)).body;
    assert.deepEqual([shown.status, shown.campaign_log], ['COMPLETED', uuid]);
    const { results } = (await app.call('GET', `/v2/events/?subject=${uuid}&ordering=created`)).body;
    assert.deepEqual(
      results.map(({ kind }: { kind: string }) => kind),
      ['campaign.scheduled', 'campaign.started', 'campaign.completed'],
    );
  });

  test('of an SMS campaign is the same', async () => {
    const list = await a.list(['+447700900511', '+447700900512', '+447700909010']);
    const campaign = await a.campaign([list], { channel: 'SMS', sender: 'Parley', text: 'Hello {{ name }}!' });
    const uuid = await a.launch(campaign);
    const log = await a.until(uuid, (now) => now.status === 'COMPLETED' && now.delivered === 2);
    assertAddsUp(log);
    assert.deepEqual([log.audience, log.failed, log.channel], [3, 1, 'SMS']);
    const { failed_by_reason: reasons, rate_history: history } = log;
    assert.deepEqual(Object.values(reasons), [1]);
    assert.match(Object.keys(reasons)[0]!, /\(code ESME_RINVDSTADR\)$/);
    const left = history.reduce((sum: number, { per_minute }: { per_minute: number }) => sum + per_minute, 0);
    assert.deepEqual(
      [left, history.length <= 2],
      [3, true],
      'a launch takes a moment, which may be that of a full minute',
    );
    const { results } = (await app.call('GET', `/v2/sms-records/?campaign_log=${uuid}`)).body;
    assert.deepEqual(new Set(results.map(({ text }: { text: string }) => text)), new Set(['Hello !']));
  });

  test('reaches somebody who is on five lists once, in whatever notation, and nobody who is excluded', async () => {
    const spellings = ['+44 7700 900521', '+447700900521', '+44 (7700) 900-521', '0044 7700 900521', '+44.7700.900521'];
    const lists = await Promise.all(spellings.map((number, index) => a.list([number, `+44770090053${index}`])));
    const excluded = await a.list(['+447700900530', '+447700900531']);
    const uuid = await a.launch(await a.campaign(lists, { excluded_lists: [excluded] }));
    const log = await a.until(uuid, a.ended('COMPLETED'));
    assertAddsUp(log);
    assert.equal(log.audience, 4);
    assert.equal((await a.phone('+447700900521')).length, 1);
    assert.equal((await a.phone('+447700900530')).length, 0);
  });

  test('of a text skips those who have not written within a day, where the platform asks for that', async () => {
    await a.make('/v2/chatapp/accounts/', {
      chatapp_number: '+34900111222',
      carrier: 'cloud-api',
      phone_number_id: '1000000000000003',
      business_account_id: '1000000000000002',
      app_id: '1000000000000001',
      access_token: 'a',
      app_secret: 'b',
      verify_token: 'c',
    });
    await app.call('PATCH', '/v2/account/', { sandbox: 'adopt' });
    const list = await a.list(['+447700900541', '+447700900542']);
    const uuid = await a.launch(await a.campaign([list], { sender: '+34900111222', text: 'News' }));
    const log = await a.until(uuid, a.ended('COMPLETED'));
    assertAddsUp(log);
    assert.deepEqual(log.skipped_by_reason, { window_closed: 2 });
  });

  test('tells webhooks when it starts and when it is completed, with the log as it is then', async () => {
    const events = ['campaign.started', 'campaign.completed'];
    const webhook = await a.make('/v2/chatapp/webhooks/', { url: 'https://example.com/hook', events });
    const uuid = await a.launch(await a.campaign([await a.list(['+447700900571'])]));
    await a.until(uuid, a.ended('COMPLETED'));
    await app.call('DELETE', `/v2/chatapp/webhooks/${webhook.uuid}/`);
    const { rows } = await sql<{ type: string; payload: string }>`
      select type, payload from webhook_deliveries where endpoint = ${webhook.uuid} order by event`.execute(
      app.deps.db,
    );
    const told = rows.map(({ type, payload }) => [type, JSON.parse(payload).data]);
    assert.deepEqual(
      told.map(([type, data]) => [type, data.uuid, data.status, data.audience]),
      [
        ['campaign.started', uuid, 'RUNNING', 1],
        ['campaign.completed', uuid, 'COMPLETED', 1],
      ],
    );
  });

  test('waits for its moment', async () => {
    const list = await a.list(['+447700900551']);
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const campaign = await a.campaign([list], { send_at: inAnHour });
    const uuid = await a.launch(campaign);
    const other = await a.launch(await a.campaign([list]));
    await a.until(other, a.ended('COMPLETED'));
    const waiting = await a.log(uuid);
    assert.deepEqual([waiting.status, waiting.audience, waiting.started], ['SCHEDULED', null, null]);
    await a.advance(3_700);
    await a.until(uuid, a.ended('COMPLETED'));
    assert.equal((await a.phone('+447700900551')).length, 2);
  });

  test('at the same time as another of the same campaign is refused', async () => {
    const list = await a.list(['+447700900561']);
    const campaign = await a.campaign([list], { send_at: '2090-01-01T00:00:00Z' });
    const answers = await Promise.all([1, 2, 3].map(() => app.call('POST', `/v2/campaigns/${campaign}/launch/`, {})));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
    assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'campaign_running');
    const refused = await app.call('DELETE', `/v2/campaigns/${campaign}/`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'campaign_running']);
    await a.steer(campaign, 'cancel');
    assert.equal((await app.call('DELETE', `/v2/campaigns/${campaign}/`)).status, 204);
    assert.equal((await app.call('GET', `/v2/campaigns/${campaign}/`)).status, 404);
  });
});
