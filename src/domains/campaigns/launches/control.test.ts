import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { assertAddsUp, campaigner } from '../../../../test/kit/campaigns/campaigner.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
before(async () => {
  app = await startTestApp();
  a = campaigner(app);
});
after(() => app.close());

let next = 447700100000;
const numbers = (count: number): string[] => Array.from({ length: count }, () => `+${next++}`);
const failing = (count: number): string[] => Array.from({ length: count }, () => `+44${String(next++).slice(-6)}9010`);
const phones = async (list: string[]): Promise<number> =>
  (await Promise.all(list.map((number) => a.phone(number)))).flat().length;

describe('a launch', () => {
  for (const channel of ['CHATAPP', 'SMS']) {
    const content = channel === 'SMS' ? { channel, sender: 'Parley', text: 'News' } : {};

    test(`${channel}: is paused at once, goes on where it was, and nobody gets it twice`, async () => {
      // The last leave ten seconds after the first: until then the launch is there to be paused.
      const people = numbers(22);
      const campaign = await a.campaign([await a.list(people)], { ...content, rate_per_second: 2 });
      const uuid = await a.launch(campaign);
      await a.until(uuid, (log) => log.audience === 22 && log.queued < 22);
      const paused = await a.steer(campaign, 'pause');
      assert.deepEqual([paused.status, paused.body.status], [200, 'PAUSED']);
      assert.equal((await a.steer(campaign, 'pause')).body.status, 'PAUSED');
      assertAddsUp(paused.body);
      const other = await a.launch(await a.campaign([await a.list(numbers(1))], content));
      await a.until(other, a.ended('COMPLETED'));
      const later = await a.log(uuid);
      assert.ok(later.queued > 0 && later.status === 'PAUSED');
      assert.equal((await a.steer(campaign, 'resume')).body.status, 'RUNNING');
      assert.equal((await a.steer(campaign, 'resume')).status, 200);
      assertAddsUp(await a.until(uuid, a.ended('COMPLETED')));
      assert.equal(await phones(people), 22);
    });

    test(`${channel}: is cancelled, and who had not got it never does`, async () => {
      const people = numbers(60);
      const campaign = await a.campaign([await a.list(people)], { ...content, rate_per_second: 2 });
      const uuid = await a.launch(campaign);
      await a.until(uuid, (log) => log.audience === 60 && log.queued < 60);
      assert.equal((await a.steer(campaign, 'cancel')).body.status, 'CANCELLED');
      assert.equal((await a.steer(campaign, 'cancel')).body.status, 'CANCELLED');
      const log = await a.until(uuid, (now) => now.queued === 0);
      assertAddsUp(log);
      assert.ok(log.cancelled + log.skipped_by_reason.cancelled > 0);
      assert.ok(log.finished);
      assert.equal((await a.steer(campaign, 'resume')).body.code, 'campaign_not_running');
      assert.equal((await a.steer(campaign, 'pause')).status, 409);
      assert.equal(await phones(people), 60 - log.cancelled - log.skipped);
    });

    test(`${channel}: pauses itself after 25 failures in a row, says why, and after a resume only new ones count`, async () => {
      // More than leave before the first failures are known, also twice.
      const lost = failing(600);
      const campaign = await a.campaign([await a.list([...lost, ...numbers(10)])], { ...content, rate_per_second: 40 });
      const uuid = await a.launch(campaign);
      const paused = await a.until(uuid, a.ended('PAUSED'));
      assertAddsUp(paused);
      assert.match(paused.reason, /^The last 25 messages failed, most of them so: .*(131026|ESME_RINVDSTADR)/);
      assert.ok(paused.failed >= 25 && paused.failed < 600);
      await a.steer(campaign, 'resume');
      const again = await a.until(uuid, a.ended('PAUSED'));
      assert.ok(again.failed > paused.failed, 'it went on');
      assertAddsUp(again);
    });
  }

  test('whose template is not approved is paused with the reason, and nobody is skipped for it', async () => {
    const list = await a.list(numbers(3));
    const template = { template_name: 'never_approved' };
    await a.make('/v2/chatapp/accounts/', {
      chatapp_number: '+34900111333',
      carrier: 'cloud-api',
      phone_number_id: '1000000000000004',
      business_account_id: '1000000000000002',
      app_id: '1000000000000001',
      access_token: 'a',
      app_secret: 'b',
      verify_token: 'c',
    });
    await app.call('PATCH', '/v2/account/', { sandbox: 'adopt' });
    const uuid = await a.launch(await a.campaign([list], { sender: '+34900111333', template }));
    const log = await a.until(uuid, a.ended('PAUSED'));
    assertAddsUp(log);
    assert.equal(log.reason, 'template.template_name: No approved template has this name and language.');
    assert.deepEqual([log.queued, log.skipped], [3, 0]);
  });

  test('leaves out who opted out before it came to them, and who did while the message waited', async () => {
    const people = numbers(3);
    const [before, waiting] = people as [string, string];
    const sender = (await a.make('/v2/chatapp/accounts/', { chatapp_number: '+447700900777' })).uuid;
    await app.call('POST', `/v2/chatapp/accounts/${sender}/pause/`);
    await a.make('/v2/opt-outs/', { phone_number: before });
    const uuid = await a.launch(await a.campaign([await a.list(people)], { sender: '+447700900777' }));
    assertAddsUp(await a.until(uuid, (log) => log.opted_out === 1));
    await a.make('/v2/opt-outs/', { phone_number: waiting });
    await app.call('POST', `/v2/chatapp/accounts/${sender}/resume/`);
    const log = await a.until(uuid, a.ended('COMPLETED'));
    assertAddsUp(log);
    assert.equal(log.opted_out, 2);
    assert.equal(await phones([before, waiting]), 0);
    const page = (await app.call('GET', `/v2/campaign-logs/${uuid}/opted-out-contacts/?page_size=1`)).body;
    const rest = (await app.call('GET', page.next.slice(page.next.indexOf('/v2/')))).body;
    const left = [...page.results, ...rest.results].map(({ phone_number }) => phone_number);
    assert.deepEqual([page.count, left.toSorted()], [2, [before, waiting].toSorted()]);
  });

  test('goes to who was on the list when it started: also when the list is emptied, but not to who was deleted', async () => {
    const people = numbers(22);
    const last = encodeURIComponent(people.at(-1)!);
    const list = await a.list(people);
    const campaign = await a.campaign([list], { rate_per_second: 2 });
    const uuid = await a.launch(campaign);
    await a.until(uuid, (log) => log.audience === 22 && log.queued < 22);
    const { results } = (await app.call('GET', `/v2/contacts/?phone_number=${last}`)).body;
    // The last to be reached, ten seconds after the first: ids are given in the order of the numbers.
    assert.equal((await app.call('DELETE', `/v2/contacts/${results[0].uuid}/`)).status, 204);
    assert.ok((await app.call('DELETE', `/v2/lists/${list}/contacts/`, { all: true })).status < 300);
    await app.call('POST', `/v2/lists/${list}/contacts/`, { phone_numbers: numbers(2) });
    const log = await a.until(uuid, a.ended('COMPLETED'));
    assertAddsUp(log);
    assert.equal(log.audience, 22);
    assert.deepEqual(log.skipped_by_reason, { deleted: 1 });
    assert.equal(await phones(people.slice(0, -1)), 21);
  });

  test('goes on as it was launched when its campaign is changed; the next one is as changed', async () => {
    const list = await a.list(numbers(6));
    const campaign = await a.campaign([list], { rate_per_second: 3, text: 'Before' });
    const uuid = await a.launch(campaign);
    await a.until(uuid, (log) => log.audience === 6);
    const changed = await app.call('PATCH', `/v2/campaigns/${campaign}/`, { text: 'After', rate_per_second: null });
    assert.equal(changed.status, 200);
    await a.until(uuid, a.ended('COMPLETED'));
    const texts = async (log: string) => {
      const { results } = (await app.call('GET', `/v2/chatapp/messages/?campaign_log=${log}`)).body;
      return new Set(
        results.map((message: { message_data: { text: { body: string } } }) => message.message_data.text.body),
      );
    };
    assert.deepEqual(await texts(uuid), new Set(['Before']));
    const second = await a.launch(campaign);
    await a.until(second, a.ended('COMPLETED'));
    assert.deepEqual(await texts(second), new Set(['After']));
  });
});
