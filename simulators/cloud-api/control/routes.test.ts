import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
});
after(() => stage.close());

async function control(method: string, path: string, body?: unknown) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(`${stage.simulator.url}/_simulator/${path}`, init);
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes
  return { status: response.status, body: (await response.json()) as any };
}
const ana = 'people/+34600111222';

it('a person writes and presses, and their messages can be read', async () => {
  assert.equal((await control('POST', `${ana}/writes`, { text: 'hi' })).body.payload.text.body, 'hi');
  const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }];
  await stage.send({ type: 'interactive', interactive: { type: 'button', body: { text: '?' }, action: { buttons } } });
  assert.equal((await control('POST', `${ana}/presses`, { button: 'yes' })).body.type, 'interactive');
  const file = { kind: 'image', mimeType: 'image/png', base64: Buffer.from('x').toString('base64') };
  assert.equal((await control('POST', `${ana}/sends`, { file })).body.type, 'image');
  assert.deepEqual((await control('POST', `${ana}/stops-marketing`)).body, { success: true });
  const { messages } = (await control('GET', `${ana}/messages`)).body;
  assert.deepEqual(
    messages.map(({ direction }: { direction: string }) => direction),
    ['in', 'out', 'in', 'in'],
  );
  const wrong = await control('POST', `${ana}/sings`);
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.error, /cannot "sings"; they can: writes/);
});

it('behaviour, settings, accounts, numbers and tokens change; a name nobody knows is an error', async () => {
  assert.equal((await control('PATCH', ana, { reach: 'sent' })).body.reach, 'sent');
  assert.equal((await control('PATCH', 'settings', { batchMax: 10 })).body.batchMax, 10);
  assert.match((await control('PATCH', 'settings', { nonsense: 1 })).body.error, /no "nonsense"/);
  const account = (await control('POST', 'accounts', { name: 'Second' })).body;
  const number = (await control('POST', 'numbers', { phone: '+34900555666', accountId: account.id })).body;
  assert.equal((await control('PATCH', `numbers/${number.id}`, { quality: 'RED' })).body.quality, 'RED');
  assert.equal((await stage.call('GET', `${number.id}?fields=quality_rating`)).body.quality_rating, 'RED');
  await control('POST', 'tokens', { token: 'second' });
  assert.equal((await stage.call('GET', number.id, undefined, { authorization: 'Bearer second' })).status, 200);
  assert.equal((await control('GET', '')).body.accounts.length, 2);
});

it('templates are added and decided, the clock moves', async () => {
  const components = [{ type: 'BODY', text: 'Hello' }];
  const { id } = (await control('POST', 'templates', { name: 'plain', components })).body;
  const { body } = await control('POST', `templates/${id}`, { status: 'PAUSED', quality: 'RED' });
  assert.equal(body.status, 'PAUSED');
  assert.equal(body.quality, 'RED');
  const before = new Date((await control('POST', 'clock', { advanceMs: 0 })).body.time).getTime();
  const later = new Date((await control('POST', 'clock', { advanceMs: 3_600_000 })).body.time).getTime();
  assert.ok(later - before >= 3_600_000);
});

it('faults are set and cleared, requests and deliveries read', async () => {
  await control('POST', 'faults', { count: 1, kind: 'error', code: 131016 });
  assert.equal((await stage.send({ text: { body: 'lost' } })).status, 500);
  await control('POST', 'faults', { outageMs: 360_000_000 });
  assert.equal((await stage.call('GET', stage.number)).status, 503);
  await control('DELETE', 'faults');
  assert.equal((await stage.call('GET', stage.number)).status, 200);
  assert.equal((await control('POST', 'faults', { count: 1 })).status, 400);
  const { requests } = (await control('GET', 'received')).body;
  const lost = requests.find(({ body }: { body: string }) => body.includes('lost'));
  assert.equal(JSON.parse(lost.body).text.body, 'lost');
  assert.equal(lost.status, 500);
  await stage.simulator.idle();
  const { deliveries } = (await control('GET', 'deliveries')).body;
  assert.match(deliveries[0].signature, /^sha256=[0-9a-f]{64}$/);
});

it('any update of an account is told as given', async () => {
  const value = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } };
  await control('POST', 'webhook/updates', { field: 'account_update', value });
  assert.deepEqual((await stage.changes()).at(-1), { field: 'account_update', value });
});

it('webhooks are held, released and sent again; a callback that does not answer is refused', async () => {
  await stage.simulator.idle();
  stage.bodies.length = 0;
  await control('POST', 'webhook/hold');
  await control('POST', `${ana}/writes`, { text: 'one' });
  await control('POST', `${ana}/writes`, { text: 'two' });
  await control('POST', 'webhook/release', { order: 'reversed' });
  const texts = (await stage.changes()).flatMap(({ value }) =>
    value.messages.map((message: { text: { body: string } }) => message.text.body),
  );
  assert.deepEqual(texts, ['two', 'one']);
  await control('POST', 'webhook/again');
  await stage.simulator.idle();
  assert.equal(stage.bodies[0], stage.bodies[1]);
  const { url } = stage.simulator.world.app.callback!;
  assert.equal((await control('POST', 'webhook', { url, verifyToken: 'wrong' })).status, 400);
  assert.equal((await control('POST', 'webhook', { url, verifyToken: 'right' })).status, 200);
});
