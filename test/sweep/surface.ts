import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { apiDocument, routes, tasks } from '../../src/app.ts';
import type { Deps } from '../../src/deps.ts';
import { startJobs } from '../../src/domains/jobs/index.ts';
import type { Route } from '../../src/platform/http/route.ts';
import { newId } from '../../src/platform/ids.ts';
import { tokenHash } from '../../src/platform/secrets.ts';
import { goOnAdopting, startTestApp, type TestAnswer, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { sendForm } from './forms.ts';

export type Operation = Route<Deps>;
type Schema = Record<string, unknown>;

/** Every operation of the product, in the order of the route table. */
export const operations: readonly Operation[] = routes;
export const withToken = operations.filter(({ scope }) => scope !== 'public');
export const withParams = withToken.filter(({ url }) => url.includes(':'));

export const title = ({ method, url }: Operation): string => `${method} ${url}`;

export const document = apiDocument() as {
  paths: Record<string, Record<string, Schema>>;
  components: { schemas: Schema };
};
const documentedOperations = new Map(
  Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => [operation['operationId'], operation]),
  ),
);

/** An operation as the OpenAPI document has it. */
export function documented({ operationId }: Operation): { responses: Record<string, Schema> } {
  const found = documentedOperations.get(operationId);
  assert.ok(found, `${operationId} is in the OpenAPI document`);
  return found as { responses: Record<string, Schema> };
}

/**
 * The product with its API alone: nothing is delivered behind a test's back, so whatever changes in the database was
 * changed by the request. No answer of it may be a fault of ours, and each carries its request's id.
 */
export async function startSurface(): Promise<TestApp> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-sweep-'));
  const app = await startTestApp({ ROLES: 'api', DATA_DIR: directory });
  await makeExamplesTrue(app);
  return {
    ...app,
    async close() {
      await app.close();
      await rm(directory, { recursive: true, force: true });
    },
    async call(method, url, body, options) {
      const answer = takesForm(method, url)
        ? await sendForm(app, url, body, options)
        : await app.call(method, url, body, options);
      assert.ok(answer.status < 500, `${method} ${url} answered ${answer.status} ${JSON.stringify(answer.body)}`);
      assert.ok(answer.headers['x-request-id'], `${method} ${url} answered without X-Request-Id`);
      return answer;
    },
  };
}

const forms = new Set(operations.filter(({ upload }) => upload).map(title));
const takesForm = (method: string, url: string): boolean => forms.has(`${method} ${url}`);

/** Some examples speak of what a reader of the reference has by then: a password, a number that was bought. */
async function makeExamplesTrue(app: TestApp): Promise<void> {
  // Every operation is tried in one account: live links among them must not keep it from trying things out.
  await goOnAdopting(app);
  const { username, password } = exampleOf('getAuthToken') as { username: string; password: string };
  await app.deps.db
    .updateTable('users')
    .set({ password_hash: await app.deps.passwords.hash(password) })
    .where('username', '=', username)
    .execute();
  for (const operationId of ['getInvitation', 'acceptInvitation']) {
    const { secret } = exampleOf(operationId) as { secret: string };
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    const invitation = { account_id: app.accountId, uuid: newId(), role: 'agent', hash: tokenHash(secret), expires };
    await app.deps.db.insertInto('invitations').values(invitation).execute();
  }
  const [{ number }] = exampleOf('updateNumbers') as [{ number: string }];
  assert.equal((await app.call('POST', '/v2/number/', { number })).status, 201);
  await makeProvider(app);
  const [list] = (exampleOf('createCampaign') as { lists: [string] }).lists;
  await app.deps.db
    .insertInto('lists')
    .values({ account_id: app.accountId, uuid: list, name: 'Of the example' })
    .execute();
}

const exampleOf = (operationId: string): unknown =>
  operations.find((operation) => operation.operationId === operationId)?.example;

/** A provider that was discovered a moment ago: nobody is asked about it. */
async function makeProvider(app: TestApp): Promise<void> {
  const issuer = 'https://login.example.com';
  const metadata = {
    ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
    jwks_uri: `${issuer}/keys`,
  };
  await app.deps.db
    .insertInto('identity_providers')
    .values({
      account_id: app.accountId,
      uuid: (exampleOf('startSso') as { provider: string }).provider,
      ...{ name: 'Example Corp', issuer, client_id: 'parley', client_secret: app.deps.vault.seal('secret') },
      ...{ token_auth_method: 'client_secret_basic', scopes: 'openid', groups_claim: 'groups', default_role: null },
      ...{ create_users: true, trust_email: false, trust_second_factor: false, enabled: true },
      metadata: JSON.stringify(metadata),
      discovered: new Date().toISOString(),
    })
    .execute();
}

/** A delivery is made by an event, not by its collection: by the ping of a webhook. */
const deliveries = '/v2/webhook-deliveries/:uuid/';
async function makeDelivery(app: TestApp): Promise<string> {
  const webhook = await app.call('POST', '/v2/chatapp/webhooks/', exampleOf('createChatappWebhook'));
  return (await app.call('POST', `/v2/chatapp/webhooks/${webhook.body.uuid}/test/`)).body.uuid;
}

/** A number can be registered once, and has one template and one flow of a name, so each object has its own number. */
const ofNumbers = ['/v2/chatapp/accounts/', '/v2/chatapp/message-templates/', '/v2/chatapp/flows/'];
const newNumber = (): string => `+44${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`;

/** So is a contact, and a list has its name alone, as a user has. */
const ownKeys: Record<string, string> = {
  '/v2/contacts/': 'phone_number',
  '/v2/lists/': 'name',
  '/v2/roles/': 'name',
  '/v2/users/': 'username',
};

/** A preview is of a flow that the platform has. Taking it there is a worker's part, and the surface has none. */
const previews = '/v2/chatapp/flows/:uuid/preview/';
const submitFlow = (app: TestApp, uuid: string) =>
  tasks.find(({ name }) => name === 'flows.submit')!.handler(app.deps, [{ accountId: app.accountId, uuid }]);

/** The file of an inbound message; people send none to the surface, so one that was uploaded is said to have come with it. */
const inboundFiles = '/v2/chatapp/messages/:uuid/media/';
async function giveFile(app: TestApp, message: string): Promise<void> {
  const { uuid } = (await app.call('POST', '/v2/chatapp/template-media/', exampleOf('createTemplateMedia'))).body;
  const change = { kind: 'INBOUND', message };
  await app.deps.db.updateTable('media').set(change).where('uuid', '=', uuid).execute();
}

/** Nobody talks on the surface, so a call is said to have been recorded. */
const recordings = '/v2/voice/calls/:uuid/recording/';
async function giveRecording(app: TestApp, call: string): Promise<void> {
  const directory = path.join(app.deps.config.dataDir, 'recordings', app.accountId);
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, call), 'RIFF');
  await app.deps.db.updateTable('calls').set({ recording_seconds: 1 }).where('uuid', '=', call).execute();
}

/** What is paused, resumed or cancelled is a launch, and a launch is made by its campaign. */
const steering = ['pause', 'resume', 'cancel'].map((verb) => `/v2/campaigns/:uuid/${verb}/`);
const launches = '/v2/campaign-logs/:uuid/';
const launch = async (app: TestApp, campaign: string): Promise<string> =>
  (await app.call('POST', `/v2/campaigns/${campaign}/launch/`, exampleOf('launchCampaign'))).body.uuid;
async function makeLaunch(app: TestApp): Promise<string> {
  const campaign = await app.call('POST', '/v2/campaigns/', exampleOf('createCampaign'));
  return launch(app, campaign.body.uuid);
}

/** A reference is whatever the account calls something, and PUT makes what is not there. */
export const byReference = '/v2/chatapp/chat-intros/by-reference/:reference_id/';
const exampleReference = () => (exampleOf('saveChatIntroByReference') as { reference_id: string }).reference_id;

/** What is marked as read was written by a person. */
const readings = '/v2/chatapp/messages/:uuid/read/';
const makeInbound = async (app: TestApp): Promise<string> => {
  const message = { from: '+447700900123', to: newNumber(), text: { body: 'Hello' } };
  return (await app.call('POST', '/v2/sandbox/chatapp/messages/', message)).body.uuid;
};

/** A session is started by its intro. */
const sessions = '/v2/chatapp/chat-intro-sessions/:uuid/';
async function makeSession(app: TestApp): Promise<string> {
  const intro = await app.call('POST', '/v2/chatapp/chat-intros/', exampleOf('createChatIntro'));
  const start = `/v2/chatapp/chat-intros/${intro.body.uuid}/start/`;
  return (await app.call('POST', start, exampleOf('startChatIntro'))).body.uuid;
}

/** A file is made by a worker that does the job. */
const jobFiles = '/v3/jobs/:id/file/';
async function makeJobFile(app: TestApp): Promise<string> {
  const { id } = (await app.call('POST', '/v3/jobs/', { type: 'contacts.export', input: {} })).body;
  const working = startJobs(app.deps);
  await until(async () => (await app.call('GET', `/v3/jobs/${id}/`)).body.finished);
  await working.stop();
  return id;
}

/** What was refused is known when a worker has read the file. */
const refusedRows = '/v3/jobs/:id/refused-rows/';
async function makeRefusal(app: TestApp): Promise<string> {
  const { id } = (await app.call('POST', '/v2/contacts/upload/', { file: 'phone_number,name\nnobody,Ana\n' })).body;
  const working = startJobs(app.deps);
  await until(async () => (await app.call('GET', `/v3/jobs/${id}/`)).body.finished);
  await working.stop();
  return id;
}

/** Any number is a phone: there is nothing to make first. */
const phones = '/v2/sandbox/phones/:number/';

/** Of anybody there is something to say, if only that nothing is known. */
const people = '/v2/people/:number/';

/** What a phone draws of a flow is what the platform was given. */
const drawnFlows = '/v2/sandbox/flows/:flow_id/';
async function makeDrawnFlow(app: TestApp): Promise<string> {
  const example = { ...(exampleOf('createFlow') as object), chatapp_number: newNumber() };
  const { uuid } = (await app.call('POST', '/v2/chatapp/flows/', example)).body;
  await submitFlow(app, uuid);
  return (await app.call('GET', `/v2/chatapp/flows/${uuid}/`)).body.flow_id;
}

/** Nobody carries calls on the surface, so a phone is said to ring, or to have been answered. */
const legs = '/v2/sandbox/calls/:uuid/';
async function makeLeg(app: TestApp, url: string): Promise<string> {
  const uuid = newId();
  const isRinging = url === `${legs}answer/` || url === `${legs}decline/`;
  const person = { phone: '+447700900123', phone_digits: '447700900123', other: '+442079460000' };
  const story = { state: isRinging ? 'RINGING' : 'TALKING', outcome: '', heard: '[]', pressed: '' };
  await app.deps.db
    .insertInto('sandbox_legs')
    .values({
      account_id: app.accountId,
      uuid,
      direction: 'OUTBOUND',
      ...person,
      ...story,
      started_at: new Date().toISOString(),
    })
    .execute();
  return uuid;
}

/** Beside a live link, which other examples make, nobody of the sandbox writes an SMS. */
const personSms = '/v2/sandbox/sms/';
const removeLinks = (app: TestApp) =>
  app.deps.db.deleteFrom('sms_links').where('account_id', '=', app.accountId).execute();

/** Names of all accounts are the operator's to decide of; each is registered by its account. */
const senderNames = '/v2/operator/sender-names/:uuid/';
const makeSender = async (app: TestApp): Promise<string> =>
  (await app.call('POST', '/v2/sms-senders/', exampleOf('createSmsSender'))).body.uuid;

/** Nothing is refused on the surface, so a range of numbers is said to be held. */
const incidents = '/v2/safeguard-incidents/:uuid/';
async function makeIncident(app: TestApp): Promise<string> {
  const uuid = newId();
  await app.deps.db
    .insertInto('safeguard_incidents')
    .values({
      account_id: app.accountId,
      uuid,
      rule: 'PUMPING',
      channel: 'SMS',
      subject: uuid,
      status: 'HELD',
      window_start: new Date(0).toISOString(),
      sender: 'parley',
      recipient: '447700900123',
      refused: 1,
    })
    .execute();
  return uuid;
}

/** The pool is filled with many at once. */
const poolNumbers = '/v2/number/pool/:number/';
async function fillPool(app: TestApp): Promise<string> {
  const [{ number }] = exampleOf('fillNumberPool') as [{ number: string }];
  await app.call('POST', '/v2/number/pool/', exampleOf('fillNumberPool'));
  return number.slice(1);
}

/** Any number is known, whoever has it; the traffic of one's own has its test beside the code. */
const insights = '/v2/number/:number/insights/';
const insightsByQuery = '/v2/number/insights/';
const reports = '/v2/reports/';

/** What only a person can do, and with codes and keys that no example can have: `persons.ts` walks through it. */
export const isPersonal = ({ url }: Pick<Operation, 'url'>): boolean =>
  ['/v2/auth/factors/', '/v2/auth/session/confirm/', '/v2/users/me/'].some((start) => url.startsWith(start));
const idOfNothing = '01890000-0000-7000-8000-000000000000';

/** DELETE takes an SMS back from the queue, people off a list, a phone out of a hand; an account goes in its own time. */
export const outlivesDelete = (url: string): boolean =>
  [
    ...['/v2/send-sms/:uuid/', '/v2/lists/:uuid/contacts/', '/v2/accounts/:uuid/', '/v2/users/:uuid/factors/'],
    ...[people, `${phones}hold/`],
  ].includes(url);

/** Paths that name something which the account can make, and another account must not see. What is the operator's is 403 for others. */
export const withObjects = withParams.filter(
  ({ url, scope }) =>
    !url.startsWith(phones) &&
    !url.startsWith(people) &&
    ![insights, byReference].includes(url) &&
    !isPersonal({ url }) &&
    scope !== 'operator',
);

/** The address of an operation, for an object of its own that is made through the API with the documented examples. */
export async function addressOf(app: TestApp, { url }: Operation): Promise<string> {
  if (isPersonal({ url })) return url.replace(':uuid', idOfNothing);
  if (url === reports) return `${url}?metric=calls`;
  if (url === insightsByQuery) return `${url}?number=447700900123`;
  if (url === personSms) await removeLinks(app);
  if (url.startsWith(people)) return url.replace(':number', '+447700900123');
  if (url.startsWith(phones)) return url.replace(':number', '+447700900123');
  if (url === drawnFlows) return url.replace(':flow_id', await makeDrawnFlow(app));
  if (url.startsWith(legs)) return url.replace(':uuid', await makeLeg(app, url));
  if (url.startsWith(deliveries)) return url.replace(':uuid', await makeDelivery(app));
  if (url.startsWith(launches)) return url.replace(':uuid', await makeLaunch(app));
  if (url === readings) return url.replace(':uuid', await makeInbound(app));
  if (url === byReference) return url.replace(':reference_id', exampleReference());
  if (url.startsWith(sessions)) return url.replace(':uuid', await makeSession(app));
  if (url.startsWith(incidents)) return url.replace(':uuid', await makeIncident(app));
  if (url.startsWith(senderNames)) return url.replace(':uuid', await makeSender(app));
  if (url === poolNumbers) return url.replace(':number', await fillPool(app));
  if (url === refusedRows) return url.replace(':id', await makeRefusal(app));
  if (url === jobFiles) return url.replace(':id', await makeJobFile(app));
  const parts = url.split('/');
  for (const [place, part] of parts.entries()) {
    if (!part.startsWith(':')) continue;
    const collection = `${url.split('/').slice(0, place).join('/')}/`;
    const creator = operations.find((operation) => operation.method === 'POST' && operation.url === collection);
    assert.ok(creator, `nothing can be made at ${collection}: say in test/sweep/surface.ts what ${url} names`);
    const key = ofNumbers.includes(collection) ? 'chatapp_number' : ownKeys[collection];
    const example = key ? { ...(creator.example as object), [key]: newNumber() } : creator.example;
    const answer = await app.call('POST', `${parts.slice(0, place).join('/')}/`, example);
    assert.ok(answer.status < 300, `the example of ${title(creator)} answered ${JSON.stringify(answer.body)}`);
    parts[place] = encodeURIComponent(answer.body[part.slice(1)]);
    if (url === previews) await submitFlow(app, answer.body.uuid);
    if (steering.includes(url)) await launch(app, answer.body.uuid);
    if (url === inboundFiles) await giveFile(app, answer.body.uuid);
    if (url === recordings) await giveRecording(app, answer.body.uuid);
  }
  return parts.join('/');
}

/** Errors that are not about a field: exactly this body. */
export function assertDetail(answer: TestAnswer, status: number, code: string, detail?: string): void {
  assert.equal(answer.status, status);
  assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'detail']);
  assert.equal(answer.body.code, code);
  if (detail !== undefined) assert.equal(answer.body.detail, detail);
}

/** A refusal is `{detail, code}`, or errors by field whose leaves are lists of sentences. */
export function assertRefusal({ status, body }: TestAnswer): void {
  const isDetail = typeof body?.detail === 'string' && typeof body.code === 'string' && Object.keys(body).length === 2;
  if (isDetail) return;
  assert.equal(status, 400, `only a 400 speaks of fields, and this is ${status} ${JSON.stringify(body)}`);
  assert.ok(countSentences(body) > 0, `no field is named in ${JSON.stringify(body)}`);
}

function countSentences(errors: unknown): number {
  assert.ok(typeof errors === 'object' && errors !== null, `${JSON.stringify(errors)} is not a list of sentences`);
  const inside = Object.values(errors);
  if (!Array.isArray(errors) || typeof errors[0] !== 'string') {
    return inside.reduce((total, below) => total + countSentences(below), 0);
  }
  for (const sentence of inside) assert.match(sentence, /^(\S.*[.!?]|No data provided)$/s, 'a sentence');
  return inside.length;
}
