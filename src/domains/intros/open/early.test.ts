import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';

let app: TestApp;
let origin = '';
before(async () => {
  app = await startTestApp();
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

it('a link is answered alike, known or not, early or not, and every opening is counted', async () => {
  const { body } = await app.call('POST', '/v2/chatapp/chat-intros/', {
    chatapp_number: '+442079460011',
    expected_message_template: 'Hello {{Name}}',
    extra_variable_data: { Name: 'Ana' },
  });
  const { pathname } = new URL(body.chat_link, origin);
  const open = async (place: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(origin + place, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0', ...headers },
    });
    const { date: _, 'x-request-id': id, ...rest } = Object.fromEntries(answer.headers);
    return { status: answer.status, id, rest };
  };
  const routedFirst = await open(`${pathname}?from=flyer`);
  app.deps.caches.forget();
  const first = await open(pathname);
  const known = await open(pathname, { 'x-request-id': 'mine' });
  // With a question behind it, it is for the router.
  const routed = await open(`${pathname}?from=poster`);
  assert.equal(first.status, 302);
  assert.deepEqual([routedFirst.status, routedFirst.rest], [first.status, first.rest]);
  assert.deepEqual([known.status, known.rest], [first.status, first.rest]);
  assert.deepEqual([routed.status, routed.rest], [first.status, first.rest]);
  assert.equal(known.id, 'mine');
  assert.notEqual(first.id, routed.id);
  await until(
    async () => (await app.call('GET', `/v2/chatapp/chat-intros/${body.uuid}/funnel/`)).body,
    ({ clicks }) => clicks === 4,
  );
});

it('where there is nothing to open, the page is the same for all', async () => {
  const read = async (place: string) => {
    const answer = await fetch(origin + place, { headers: { accept: 'text/html' } });
    return { status: answer.status, page: await answer.text(), cache: answer.headers.get('cache-control') };
  };
  const [early, routed] = [await read('/l/bbbbbbbbbb'), await read('/l/bbbbbbbbbb?x')];
  assert.equal(early.status, 404);
  assert.deepEqual(early, routed);
});
