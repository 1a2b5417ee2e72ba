// The n8n nodes against a real server, called as n8n calls them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: the nodes are plain JavaScript, as n8n loads it
type Any = any;

const folder = path.join(import.meta.dirname, '..', '..', 'integrations', 'n8n');
const load = createRequire(path.join(folder, 'package.json'));
const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const { Parley } = load('./nodes/Parley.node.js');
const { ParleyTrigger, isGenuine } = load('./nodes/ParleyTrigger.node.js');

let app: TestApp;
let url: string;
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW: '127.0.0.0/8' });
  url = await app.app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => app.close());

/** What n8n gives a node: the parameters, the credentials, and a way to make requests with these. */
function contextOf(parameters: Record<string, unknown>, extra: object = {}) {
  return {
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name: string, _index?: number, fallback?: unknown) => parameters[name] ?? fallback,
    getCredentials: async () => ({ url: `${url}/`, token: app.token }),
    getExecutionId: () => '7',
    getNode: () => ({ id: 'node' }),
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (rows: object[]) => rows.map((json) => ({ json })),
      async httpRequestWithAuthentication(name: string, { method, baseURL, url: place, qs = {}, body, headers }: Any) {
        assert.equal(name, 'parleyApi');
        const question = new URLSearchParams(qs).toString();
        const answer = await fetch(`${baseURL}${place}${question && `?${question}`}`, {
          method,
          headers: { authorization: `Token ${app.token}`, 'content-type': 'application/json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(text);
        return text && JSON.parse(text);
      },
    },
    ...extra,
  };
}
const run = async (parameters: Record<string, unknown>, extra: object = {}): Promise<Any[]> =>
  (await new Parley().execute.call(contextOf(parameters, extra)))[0].map(({ json }: Any) => json);

describe('the Parley node', () => {
  const numbers = { from: '+447700900001', to: '+447700900123' };

  it('is what its package names, and every operation names its fields once', () => {
    for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) assert.ok(load(`./${file}`), file);
    const { properties } = new Parley().description;
    const shown = properties.map(({ name, displayOptions }: Any) => `${name} ${JSON.stringify(displayOptions)}`);
    assert.equal(new Set(shown).size, shown.length);
  });

  it('sends a template and an SMS, and finds them', async () => {
    const message = { resource: 'message', operation: 'sendTemplate', ...numbers, template: 'welcome', parameters: '' };
    const [sent] = await run(message);
    assert.equal(sent.status, 'QUEUED');
    const [again] = await run(message);
    assert.equal(again.uuid, sent.uuid, 'the same execution sends once');
    await until(
      async () => (await run({ resource: 'message', operation: 'get', uuid: sent.uuid }))[0].status,
      (status) => status === 'READ',
    );
    const [sms] = await run({
      resource: 'sms',
      operation: 'send',
      from: '+442079460000',
      to: numbers.to,
      text: 'Hello',
    });
    const [found] = await run({ resource: 'sms', operation: 'get', uuid: sms.uuid });
    assert.equal(found.text, 'Hello');
    const story = await run({ resource: 'event', operation: 'getMany', limit: 3, subject: sent.uuid });
    assert.equal(story.length, 3);
  });

  it('creates contacts and intros, and lists page by page', async () => {
    for (let n = 0; n < 3; n++) {
      const [made] = await run({
        resource: 'contact',
        operation: 'create',
        phone: `+44770090020${n}`,
        name: 'Аня',
        attributes: '{"city":"London"}',
      });
      assert.deepEqual(made.attributes, { city: 'London' });
    }
    assert.equal((await run({ resource: 'contact', operation: 'getMany', limit: 2 })).length, 2);
    const [intro] = await run({
      resource: 'chatIntro',
      operation: 'create',
      from: numbers.from,
      reference: 'LANE-1',
      fields: { expected_message_template: 'Hi' },
    });
    assert.equal(intro.reference_id, 'LANE-1');
  });

  it('reports what is wrong, or goes on if the workflow says so', async () => {
    const bad = { resource: 'sms', operation: 'send', from: '+442079460000', to: 'nobody', text: 'Hello' };
    await assert.rejects(run(bad), /"to"/);
    const [told] = await run(bad, { continueOnFail: () => true });
    assert.match(told.error, /"to"/);
    await assert.rejects(
      run({ resource: 'contact', operation: 'create', phone: '+447700900209', attributes: '[' }),
      /Attributes must be a JSON object/,
    );
  });
});

describe('the Parley trigger', () => {
  it('registers a webhook, takes what is signed, refuses the rest, and removes it', async () => {
    const deliveries: { body: Buffer; headers: Any }[] = [];
    const receiver = createServer(async (request, response) => {
      deliveries.push({ body: await buffer(request), headers: request.headers });
      response.end();
    }).listen(0, '127.0.0.1');
    const data: Any = {};
    const answers: number[] = [];
    const trigger = new ParleyTrigger();
    const contextWith = (extra: object = {}) =>
      contextOf(
        { events: ['test.ping'] },
        {
          getWorkflowStaticData: () => data,
          getNodeWebhookUrl: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
          getWorkflow: () => ({ name: 'Test' }),
          getResponseObject: () => ({ status: (code: number) => ({ json: () => answers.push(code) }) }),
          ...extra,
        },
      );
    const { checkExists, create, delete: remove } = trigger.webhookMethods.default;
    const events = await trigger.methods.loadOptions.getEvents.call(contextWith());
    assert.ok(events.some(({ value }: Any) => value === 'sms.received'));
    assert.equal(await checkExists.call(contextWith()), false);
    await create.call(contextWith());
    assert.equal(await checkExists.call(contextWith()), true);
    assert.equal((await app.call('POST', `/v2/webhooks/${data.uuid}/test/`, {})).status, 201);
    const { body, headers } = await until(() => deliveries[0]);
    const receive = (rawBody: Buffer) =>
      trigger.webhook.call(
        contextWith({ getRequestObject: () => ({ rawBody, headers }), getBodyData: () => JSON.parse(String(body)) }),
      );
    const { workflowData } = await receive(body);
    assert.equal(workflowData[0][0].json.type, 'test.ping');
    assert.deepEqual(await receive(Buffer.from(`${body} `)), { noWebhookResponse: true });
    assert.deepEqual(answers, [401]);
    assert.equal(isGenuine(body, { ...headers, 'webhook-timestamp': '1' }, data.secret), false);
    const { uuid } = data;
    await remove.call(contextWith());
    assert.equal((await app.call('GET', `/v2/webhooks/${uuid}/`)).status, 404);
    receiver.close();
  });
});
