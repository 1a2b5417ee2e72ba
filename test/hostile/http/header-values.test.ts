// Strings that people wrote end up in headers, and a header cannot hold every character: no such string ends the process.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp } from '../../kit/app.ts';
import { campaigner } from '../../kit/campaigns/campaigner.ts';
import { makeIntro, phone } from '../../kit/intros/make-intro.ts';
import { formWith, png } from '../../kit/media/sample-files.ts';
import { type Program, startProgram, programToken as token } from '../../kit/program/program.ts';
import { type Answered, type Asking, ask } from './raw.ts';

const odd = {
  Cyrillic: 'привет',
  emoji: '🎉👩‍👩‍👧',
  Latin: 'é£ÿ',
  'CR LF': 'a\r\nSet-Cookie: stolen=1\r\n\r\n<b>',
  'control characters': 'a\u0001\u007f\u0085b',
  'directions and BOM': '\u202e\ufeff\u2028x',
  quotes: `"\\;'%22*()`,
};

const isAscii = /^[\x20-\x7e]*$/;

describe('stored strings in headers', { timeout: 1_800_000 }, () => {
  let program: Program;
  let url: URL;
  before(async () => {
    program = await startProgram();
    url = new URL(await program.parley.ready());
  });
  after(() => program.stop());
  const send = (method: string, path: string, options: Asking = {}): Promise<Answered> =>
    ask(url, method, path, { token, ...options });

  /** The process that was asked before still answers, and nothing got past everybody. */
  const assertUnharmed = async (): Promise<void> => {
    const metrics = await send('GET', '/metrics', { token: null });
    assert.equal(metrics.status, 200);
    assert.match(metrics.text, /^parley_unhandled_errors_total\{kind="exception"\} 0$/m);
    assert.match(metrics.text, /^parley_unhandled_errors_total\{kind="rejection"\} 0$/m);
  };
  const open = (code: string, headers = {}): Promise<Answered> =>
    send('GET', `/l/${code}`, { token: null, headers: { 'user-agent': phone, ...headers } });
  const assertLeads = (answer: Answered, to: string): void => {
    assert.equal(answer.status, 302, answer.text);
    assert.match(answer.headers.location!, isAscii);
    assert.equal(answer.headers.location, to);
    assert.equal(answer.headers['set-cookie'], undefined);
  };

  it('links of a campaign lead to addresses in any script, by both ways through the server', async () => {
    const call = async (method: string, url: string, body?: unknown) =>
      send(method, url, body === undefined ? {} : { body });
    const a = campaigner({ call });
    const written = [
      'https://example.com/привет?q=ещё#где',
      'https://пример.испытание/🎉',
      'https://example.com/\u202eé\u0085',
    ];
    const list = await a.list(['+447700900811']);
    const launch = await a.launch(await a.campaign([list], { text: written.join(' '), track_links: true }));
    await a.until(launch, a.ended('COMPLETED'));
    const { results } = (await call('GET', `/v2/chatapp/messages/?campaign_log=${launch}`)).body;
    const codes = [...results[0].message_data.text.body.matchAll(/\/l\/([a-z0-9]+)/g)].map(([, code]) => code);
    assert.equal(codes.length, written.length);
    for (const [index, code] of codes.entries()) {
      const to = new URL(written[index]!).href;
      assertLeads(await open(code), to);
      // In capitals it is no code that the fast way knows.
      assertLeads(await open(code.toUpperCase()), to);
    }
    const stored = await program.query('select url from links where shortcode = any($1) order by url', [codes]);
    assert.deepEqual(
      stored.map(({ url }) => url),
      written.map((url) => new URL(url).href).sort(),
      'stored as they are sent',
    );
    await assertUnharmed();
  });

  it('links that were stored as they were written still work', async () => {
    const [{ uuid: accountId }] = await program.query('select uuid from accounts limit 1');
    for (const [index, text] of Object.values(odd).entries()) {
      for (const [kind, url] of [`https://example.com/${text}`, `no address: ${text}`].entries()) {
        const code = `${'bcdfghjk'[index]}${'mn'[kind]}22222222`;
        await program.query(
          `insert into links (account_id, shortcode, kind, campaign_log, url) values ($1, $2, 'CAMPAIGN', gen_random_uuid(), $3)`,
          [accountId, code, url],
        );
        for (const spelling of [code, code.toUpperCase()]) {
          const { status, headers } = await open(spelling);
          assert.equal(status, 302);
          assert.match(headers.location!, isAscii);
          assert.equal(headers['set-cookie'], undefined);
        }
      }
    }
    await assertUnharmed();
  });

  it('names and types of files, uploaded and as they may stand in the database', async () => {
    for (const text of Object.values(odd)) {
      const { payload, contentType } = await formWith(png, { filename: `${text}.png`, fields: { name: text } });
      const headers = { 'content-type': contentType };
      const uploaded = await send('POST', '/v2/chatapp/template-media/', { headers, body: payload });
      assert.equal(uploaded.status, 201, uploaded.text);
      const content = `/v2/chatapp/template-media/${uploaded.body.uuid}/content/`;
      const download = async (): Promise<void> => {
        const { status, headers } = await send('GET', content);
        assert.equal(status, 200);
        assert.match(headers['content-disposition']!, isAscii);
        assert.match(headers['content-type']!, isAscii);
        assert.equal(headers['set-cookie'], undefined);
      };
      await download();
      const values = [uploaded.body.uuid, text, `image/png; name=${text}`];
      await program.query('update media set filename = $2, mime_type = $3 where uuid = $1', values);
      await download();
    }
    await assertUnharmed();
  });

  it('names of ignored fields', async () => {
    for (const text of [...Object.values(odd), 'lone \ud800 surrogate', 'NUL \0']) {
      const body = { name: 'A list', [text]: 1 };
      const { status, headers } = await send('POST', '/v2/lists/', {
        body: { ...body, name: `${Math.random()}` },
      });
      assert.ok([201, 400].includes(status), `${status}`);
      if (status === 201) assert.match(String(headers['parley-ignored-fields']), isAscii);
    }
    await assertUnharmed();
  });

  it('what a caller sends in its own headers', async () => {
    for (const text of ['\u00e9\u00ff', 'a b', '"', 'x'.repeat(300)]) {
      for (const name of ['x-request-id', 'host', 'idempotency-key', 'x-forwarded-host', 'last-event-id', 'origin']) {
        for (const [method, path] of [
          ['GET', '/v2/account/'],
          ['GET', '/v2/lists/?page_size=1'],
          ['GET', '/l/zz22222222'],
          ['POST', '/v2/lists/'],
        ] as const) {
          const body = method === 'POST' ? { body: { name: `${Math.random()}` } } : {};
          const { status, headers } = await send(method, path, { headers: { [name]: text }, ...body });
          assert.ok(status < 500, `${name}: ${text} at ${path}: ${status}`);
          assert.match(String(headers['x-request-id']), /^[\w.:-]+$/);
        }
      }
    }
    await assertUnharmed();
  });

  it('headers of an answer that was kept for its Idempotency-Key: sent with what cannot be sent encoded', async () => {
    const body = { name: 'Kept' };
    const headers = { 'idempotency-key': 'one' };
    const first = await send('POST', '/v2/lists/', { headers, body });
    assert.equal(first.status, 201);
    for (const text of Object.values(odd)) {
      const kept = { 'x-note': text, 'x name': 'x', 'x-good': 'good' };
      await program.query('update idempotency_keys set headers = $1', [JSON.stringify(kept)]);
      const again = await send('POST', '/v2/lists/', { headers, body });
      assert.equal(again.status, 201, again.text);
      assert.equal(again.body.uuid, first.body.uuid);
      assert.equal(again.headers['x-good'], 'good');
      assert.equal(again.headers['set-cookie'], undefined);
      assert.equal(again.headers['x-note'] === undefined, false);
    }
    await assertUnharmed();
  });
});

describe('PUBLIC_URL in another script', () => {
  it('leads to the address in ASCII', async () => {
    const app = await startTestApp({ PUBLIC_URL: 'https://пример.испытание/связь/' });
    try {
      const { code } = await makeIntro(app, { expected_message_template: 'Здравствуйте' });
      const to = new URL(await app.app.listen({ port: 0 }));
      for (const spelling of [code, code.toUpperCase()]) {
        const answer = await ask(to, 'GET', `/l/${spelling}`, { headers: { 'user-agent': phone } });
        assert.equal(answer.status, 302, answer.text);
        const origin = new URL('https://пример.испытание/связь/').href;
        assert.ok(answer.headers.location!.startsWith(`${origin}console/phone/`), answer.headers.location);
      }
    } finally {
      await app.close();
    }
  });
});
