import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeIntro, openAs, phone, told } from '../../../../test/kit/intros/make-intro.ts';
import { until } from '../../../../test/kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const clicks = (uuid: string) => told(app, uuid, 'chat_intro.clicked');
const openedAt = async (uuid: string) =>
  (
    await app.deps.db
      .selectFrom('intro_keys')
      .select('opened_at')
      .where('chat_intro', '=', uuid)
      .executeTakeFirstOrThrow()
  ).opened_at;
/** Whatever was clicked before this is written when it returns. */
async function settle(): Promise<void> {
  const last = await makeIntro(app);
  await openAs(app, last.code);
  await until(
    () => clicks(last.uuid),
    ({ length }) => length === 1,
  );
}

describe('GET /l/{shortcode}', () => {
  it('302 to the chat with the expected text filled in, for nobody to store and nobody to be told of', async () => {
    const { code } = await makeIntro(app, {
      reference_id: 'R&D 1',
      expected_message_template: 'About {{ reference_id }} in {{Town}}: 100% ü {{Unknown}}',
      extra_variable_data: { Town: 'Bath' },
    });
    const answer = await openAs(app, code, { host: 'parley.example' });
    assert.equal(answer.status, 302);
    const text = encodeURIComponent('About R&D 1 in Bath: 100% ü ');
    assert.equal(answer.headers.location, `http://parley.example/console/phone/%2B442079460011?text=${text}`);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.equal(answer.body, '');
    assert.ok(answer.headers['x-request-id']);
  });

  it('302 without a text where none is expected; in capitals, and with a slash at the end', async () => {
    const { code } = await makeIntro(app);
    for (const spelling of [code, code.toUpperCase(), `${code}/`, `${code}?utm_source=flyer`]) {
      const answer = await openAs(app, spelling, { host: 'parley.example' });
      assert.equal(answer.headers.location, 'http://parley.example/console/phone/%2B442079460011', spelling);
    }
  });

  it('302 to the platform for a number on it', async () => {
    const sender = await app.call('POST', '/v2/chatapp/accounts/', {
      chatapp_number: '+44 20 7946 0099',
      carrier: 'cloud-api',
      phone_number_id: '1',
      business_account_id: '2',
      app_id: '3',
      access_token: 'a',
      app_secret: 'b',
      verify_token: 'c',
    });
    assert.equal(sender.status, 201, JSON.stringify(sender.body));
    await app.call('PATCH', '/v2/account/', { sandbox: 'adopt' });
    const { code } = await makeIntro(app, {
      chatapp_number: '+44 (20) 7946-0099',
      expected_message_template: 'Hello & welcome',
    });
    const { headers } = await openAs(app, code);
    assert.equal(headers.location, 'https://wa.me/442079460099?text=Hello%20%26%20welcome');
  });

  it('a click is in the timeline soon, and moves the time the link was last opened', async () => {
    const { uuid, code } = await makeIntro(app);
    await openAs(app, code);
    await openAs(app, code);
    await openAs(app, code, { 'user-agent': `${phone} Edg/1` });
    const [first, second, third] = await until(
      () => clicks(uuid),
      ({ length }) => length === 3,
    );
    assert.deepEqual(Object.keys(first!).sort(), ['link', 'session', 'visitor']);
    assert.deepEqual([first!.link, first!.session], ['INTRO', null]);
    assert.match(String(first!.visitor), /^[0-9a-f]{16}$/);
    assert.equal(first!.visitor, second!.visitor, 'one browser is one visitor');
    assert.notEqual(first!.visitor, third!.visitor);
    assert.ok(Math.abs(Date.parse((await openedAt(uuid))!) - Date.now()) < 60_000);
  });

  it('the time of opening is that of the sender’s carrier, and never goes back', async () => {
    const { uuid, code } = await makeIntro(app);
    const future = new Date(Date.now() + 3_600_000).toISOString();
    await app.deps.db.updateTable('intro_keys').set({ opened_at: future }).where('chat_intro', '=', uuid).execute();
    await openAs(app, code);
    await until(
      () => clicks(uuid),
      ({ length }) => length === 1,
    );
    assert.equal(Date.parse((await openedAt(uuid))!), Date.parse(future));
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 7_200 });
    await until(
      async () => {
        await openAs(app, code);
        return openedAt(uuid);
      },
      (at) => Date.parse(at!) > Date.parse(future),
    );
  });

  const programs: Record<string, Record<string, string>> = {
    WhatsApp: { 'user-agent': 'WhatsApp/2.24.6.77 A' },
    'WhatsApp Web': { 'user-agent': 'WhatsApp/2.2412.54 W' },
    Messenger: { 'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' },
    Telegram: { 'user-agent': 'TelegramBot (like TwitterBot)' },
    Slack: { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
    Discord: { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
    LinkedIn: { 'user-agent': 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)' },
    Teams: { 'user-agent': 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5' },
    Viber: { 'user-agent': 'Viber/13.3.0.5 CFNetwork/1126 Darwin/19.5.0' },
    LINE: { 'user-agent': 'facebookexternalhit/1.1;line-poker/1.0' },
    iMessage: {
      'user-agent':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    },
    KakaoTalk: { 'user-agent': 'kakaotalk-scrap/1.0' },
    Google: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    curl: { 'user-agent': 'curl/8.5.0' },
    'a program without a name': { 'user-agent': '' },
    'a browser that reads ahead': { 'sec-purpose': 'prefetch;prerender' },
    'an older one that reads ahead': { purpose: 'prefetch' },
  };
  it('previews and crawlers get the same answer and are not counted', async () => {
    const { uuid, code } = await makeIntro(app, { expected_message_template: 'Hello' });
    const person = await openAs(app, code);
    for (const [name, headers] of Object.entries(programs)) {
      const answer = await openAs(app, code, headers);
      assert.deepEqual([answer.status, answer.headers.location], [302, person.headers.location], name);
    }
    const head = await app.call('HEAD', `/l/${code}`, undefined, { token: null, headers: { 'user-agent': phone } });
    assert.deepEqual([head.status, head.headers.location, head.body], [302, person.headers.location, '']);
    await settle();
    assert.equal((await clicks(uuid)).length, 1);
  });

  it('people inside the browsers of chat apps are people', async () => {
    const { uuid, code } = await makeIntro(app);
    const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
    const inside = [
      `${safari} Mobile/15E148 [FBAN/FBIOS;FBAV/459.0.0.34.107]`,
      `${safari} Mobile/15E148 Instagram 328.0.5.33.90`,
      `${safari} Mobile/15E148 Safari Line/14.5.0`,
      `${phone} Viber/22.5.0`,
      `${phone} MicroMessenger/8.0.47`,
    ];
    for (const userAgent of inside) await openAs(app, code, { 'user-agent': userAgent });
    await until(
      () => clicks(uuid),
      ({ length }) => length === inside.length,
    );
  });

  it('404 with a page for a phone for whatever is no code', async () => {
    const strange = [
      'zzzzzzzzzz',
      'k7m2q9xw4',
      'k7m2q9xw4tt',
      '..........',
      '[2-9b-z]{10}',
      '%00',
      'k7m2q9xw4%00',
      '%27%20or%201=1--',
      '%7B%7Dk7m2q9xw',
      '..%2fv2',
      'x'.repeat(10_000),
      '9'.repeat(290),
      'k7m2q9xw4t/more',
    ];
    for (const code of strange) {
      const { status, headers, body } = await openAs(app, code);
      assert.equal(status, 404, code.slice(0, 40));
      assert.equal(headers['content-type'], 'text/html; charset=utf-8', code.slice(0, 40));
      assert.equal(headers['cache-control'], 'no-store');
      assert.match(body, /<html lang="en">[\s\S]*<title>No such link<\/title>/);
      assert.doesNotMatch(body, /<script|https?:|src=|@import|url\(/);
      assert.match(body, /color-scheme: light dark/);
    }
    for (const broken of ['', '%', '%E0%A4%A', '%zz', '../v2/none/'])
      assert.equal((await openAs(app, broken)).status, 404, broken);
  });

  it('404 and 410 as JSON to whoever takes nothing else', async () => {
    const json = { accept: 'application/json' };
    const unknown = await openAs(app, 'zzzzzzzzzz', json);
    assert.deepEqual([unknown.status, unknown.body], [404, { detail: 'Not found.', code: 'not_found' }]);
    const { uuid, code } = await makeIntro(app);
    await app.call('DELETE', `/v2/chatapp/chat-intros/${uuid}/`);
    const gone = await openAs(app, code, json);
    assert.deepEqual(gone.body, { detail: 'This link no longer works.', code: 'link_gone' });
    const browser = await openAs(app, code, { accept: 'text/html,application/json;q=0.9,*/*;q=0.8' });
    assert.match(browser.body, /^<!doctype html>/);
  });

  it('410 from the moment the intro is deleted, and the new text from the moment it is changed', async () => {
    const { uuid, code } = await makeIntro(app, { expected_message_template: 'One' });
    assert.match((await openAs(app, code)).headers.location, /text=One$/);
    await app.call('PATCH', `/v2/chatapp/chat-intros/${uuid}/`, { expected_message_template: 'Two' });
    assert.match((await openAs(app, code)).headers.location, /text=Two$/);
    await app.call('PUT', `/v2/chatapp/chat-intros/${uuid}/`, { chatapp_number: '+44 20 7946 0012' });
    assert.match((await openAs(app, code)).headers.location, /phone\/%2B442079460012$/);
    await app.call('DELETE', `/v2/chatapp/chat-intros/${uuid}/`);
    const gone = await openAs(app, code);
    assert.equal(gone.status, 410);
    assert.match(gone.body, /<title>Link expired<\/title>/);
  });

  it('410 for a link whose time is over', async () => {
    const { code } = await makeIntro(app);
    const expire = (expires: string) =>
      app.deps.db.updateTable('links').set({ expires }).where('shortcode', '=', code).execute();
    await expire('2999-01-01T00:00:00Z');
    assert.equal((await openAs(app, code)).status, 302);
    await expire('2020-01-01T00:00:00Z');
    assert.equal((await openAs(app, code)).status, 410);
  });

  it('405 for any other method, whatever the body', async () => {
    const { code } = await makeIntro(app);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const headers = { 'content-type': 'text/plain' };
      const { status, headers: sent, body } = await app.call(method, `/l/${code}`, 'x', { token: null, headers });
      assert.equal(status, 405, method);
      assert.equal(sent['allow'], 'GET, HEAD');
      assert.deepEqual(body, { detail: `Method "${method}" not allowed.`, code: 'method_not_allowed' });
    }
  });

  it('a text longer than one message is cut, and never inside a character', async () => {
    const { code } = await makeIntro(app, {
      expected_message_template: `a${'{{Long}}'.repeat(20)}`,
      extra_variable_data: { Long: '😀'.repeat(1_000) },
    });
    const location = new URL((await openAs(app, code)).headers.location);
    assert.equal(location.searchParams.get('text')!.length, 4096);
  });

  it('many at once, each to its own chat', async () => {
    const intros = await Promise.all(
      Array.from({ length: 30 }, (_, n) => makeIntro(app, { expected_message_template: `Number ${n}.` })),
    );
    const answers = await Promise.all([...intros, ...intros].map(({ code }) => openAs(app, code)));
    answers.forEach(({ headers }, index) => {
      assert.equal(new URL(headers.location).searchParams.get('text'), `Number ${index % 30}.`);
    });
  });
});

describe('With PUBLIC_URL', () => {
  it('addresses of this server begin with it, whatever name was used', async () => {
    const app = await startTestApp({ ROLES: 'api', PUBLIC_URL: 'https://chat.example/parley/' });
    try {
      const { code } = await makeIntro(app);
      const { headers } = await openAs(app, code, { host: 'evil.example' });
      assert.equal(headers.location, 'https://chat.example/parley/console/phone/%2B442079460011');
    } finally {
      await app.close();
    }
  });
});
