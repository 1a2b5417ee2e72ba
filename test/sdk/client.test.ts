// The SDK against the real server.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createParley, etagOf, type Parley, ParleyError, paginate } from '../../sdk/src/index.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

describe('The SDK', () => {
  let app: TestApp;
  let parley: Parley;
  let baseUrl: string;
  before(async () => {
    app = await startTestApp();
    baseUrl = await app.app.listen({ host: '127.0.0.1', port: 0 });
    parley = createParley({ baseUrl, token: app.token });
  });
  after(() => app.close());

  const failing = async (work: PromiseLike<unknown>): Promise<ParleyError> => {
    const error = await Promise.resolve(work).then(
      () => assert.fail('it succeeded'),
      (error) => error,
    );
    assert.ok(error instanceof ParleyError, String(error));
    return error;
  };

  it('has a method for every operation that can succeed', async () => {
    const file = path.join(import.meta.dirname, '../../openapi.json');
    const { paths } = JSON.parse(await readFile(file, 'utf8'));
    // biome-ignore lint/suspicious/noExplicitAny: the document has every shape
    const all = Object.values<any>(paths).flatMap((operations) => Object.values<any>(operations));
    const missing = all.filter(({ operationId }) => !(operationId in parley)).map(({ operationId }) => operationId);
    assert.ok(all.length > 100);
    assert.deepEqual(missing, ['finishSso', 'openLink'], 'which only ever redirect');
  });

  it('knows the version of what it returned, and changes that version alone', async () => {
    const { uuid } = await parley.createList({ name: 'Versions' });
    const first = await parley.getList(uuid);
    assert.ok(etagOf(first));
    const second = await parley.updateList(uuid, { name: 'Versions, second' }, { ifMatch: etagOf(first) });
    const late = await failing(parley.updateList(uuid, { name: 'Late' }, { ifMatch: etagOf(first) }));
    assert.deepEqual([late.status, late.code], [412, 'precondition_failed']);
    assert.equal(etagOf({ ...second }), undefined, 'a copy is not what was returned');
    await parley.deleteList(uuid, { ifMatch: etagOf(second) });
  });

  it('iterates over all items of a list, whatever the size of its pages', async () => {
    const list = await parley.createList({ name: 'Seven' });
    const numbers = Array.from({ length: 7 }, (_, index) => `+44770090020${index}`);
    await parley.addMembers(list.uuid, { phone_numbers: numbers });
    for (const page_size of [1, 3, 7, 200]) {
      const found = [];
      for await (const { phone_number } of parley.listMembers(list.uuid, { page_size })) found.push(phone_number);
      assert.deepEqual(found.toSorted(), numbers);
    }

    const sizes = [];
    for await (const page of parley.listContacts({ list: list.uuid, page_size: 3 }).pages()) {
      sizes.push([page.count, page.results.length]);
    }
    assert.deepEqual(sizes, [
      [7, 3],
      [7, 3],
      [7, 1],
    ]);

    const byPath = [];
    const where = { path: { uuid: list.uuid }, query: { page_size: 2 } };
    for await (const { phone_number } of paginate(parley, '/v2/lists/{uuid}/contacts/', where)) {
      byPath.push(phone_number);
    }
    assert.deepEqual(byPath.toSorted(), numbers);
  });

  it('takes the first page of a list that is awaited, and requests no more than is looked at', async () => {
    let requests = 0;
    const counting = createParley({
      baseUrl,
      token: app.token,
      fetch: (input, init) => {
        requests++;
        return fetch(input, init);
      },
    });
    const listing = counting.listWebhookTypes();
    assert.equal(requests, 0);
    assert.ok((await listing).count > 20);
    for await (const { uuid } of counting.listContacts({ page_size: 1 })) {
      assert.ok(uuid);
      break;
    }
    assert.equal(requests, 2);
  });

  it('fails on a list that cannot be read, awaited or iterated over', async () => {
    const strange = parley.listContacts({ cursor: 'nonsense' });
    assert.equal((await failing(strange)).code, 'invalid_page');
    assert.equal((await failing(strange[Symbol.asyncIterator]().next())).code, 'invalid_page');
    const byPath = paginate(parley, '/v2/contacts/', { query: { cursor: 'nonsense' } });
    assert.equal((await failing(byPath)).code, 'invalid_page');
  });

  it('names the wrong fields', async () => {
    const error = await failing(parley.sendSms({ from: 'Parley', to: 'Ana', text: 'Hello' }));
    assert.deepEqual([error.status, error.code, Object.keys(error.fieldErrors)], [400, 'invalid', ['to']]);
    assert.equal(error.detail, `to: ${(error.fieldErrors['to'] as string[])[0]}`);
    assert.equal(error.message, error.detail);
    assert.match(error.requestId!, /./);
  });

  it('names the wrong fields of wrong items', async () => {
    const body = [{ country_code: 'GB' }, { country_code: 'GB', target_number: 'x' }];
    const { status, body: errors } = await app.call('POST', '/v2/number/bulk/', body);
    assert.equal(status, 400);
    const error = await failing(parley.createNumbers(body));
    assert.deepEqual(error.fieldErrors, { ...errors });
    assert.match(error.detail, /\w+: \w/);
  });

  it('tells other errors by their code', async () => {
    const missing = await failing(parley.getMessage('0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'));
    assert.deepEqual([missing.status, missing.code, missing.fieldErrors], [404, 'not_found', {}]);
    const stranger = createParley({ baseUrl, token: 'nobody' });
    assert.equal((await failing(stranger.getAccount())).code, 'authentication_failed');
    assert.equal((await failing(createParley({ baseUrl }).getAccount())).code, 'not_authenticated');
  });

  it('does the work of one idempotency key once', async () => {
    const send = (options = {}) =>
      parley.sendSms({ from: 'Parley', to: '+44 7700 900123', text: 'Hello' }, options).then(({ uuid }) => uuid);
    const first = await send({ idempotencyKey: 'one' });
    assert.equal(await send({ idempotencyKey: 'one' }), first);
    assert.notEqual(await send({ idempotencyKey: 'two' }), first);
    assert.notEqual(await send(), await send());
  });

  it('sends files and fetches them', async () => {
    const form = new FormData();
    form.set('file', new Blob(['phone_number,name\n+44 7700 900231,Ana\n']), 'people.csv');
    form.set('dry_run', 'true');
    assert.equal((await parley.uploadContacts(form)).type, 'contacts.import');
    assert.match(await parley.getContactSample(), /^phone_number,/);
    const { uuid } = await parley.createChatIntro({
      chatapp_number: '+44 20 7946 0011',
      expected_message_template: 'Hello',
      reply_message_template: 'Hello yourself',
      notify_type: 'CHATAPP',
      notify_to_phone_number: '+44 7700 900124',
      notify_chatapp_template_name: 'new_lead',
    });
    const qr = await parley.getChatIntroQr(uuid, { format: 'svg' });
    assert.match(await qr.text(), /<svg/);
  });

  it('puts numbers into paths as people write them, and answers nothing where there is nothing', async () => {
    const { number } = await parley.buyNumber({ country_code: 'GB' });
    assert.equal((await parley.getNumber(number)).number, number);
    assert.equal(await parley.releaseNumber(number), undefined);
  });

  it('offers every path as openapi-fetch does', async () => {
    const { data, error, response } = await parley.GET('/v2/contacts/', { params: { query: { page_size: 1 } } });
    assert.deepEqual([response.status, data?.results.length, error], [200, 1, undefined]);
    const refused = await parley.POST('/v2/contacts/', { body: { phone_number: 'x' } });
    assert.equal(refused.response.status, 400);
    assert.deepEqual(Object.keys(refused.error!), ['phone_number']);
  });
});
