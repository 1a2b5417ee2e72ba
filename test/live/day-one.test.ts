// From the first day to a live business: a newcomer tries the company's own number in the sandbox, makes an intro and prints its link,
// then connects the number to the platform, a trunk and an SMS centre. The same intro is live, and nothing is printed anew.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CloudSimulator, startCloudSimulator } from '../../simulators/cloud-api/index.ts';
import { type Smsc, startSmsc } from '../../simulators/smsc/index.ts';
import { answer, openPhone, type Phone, sdp } from '../hostile/sip/peer.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted below
type Any = any;

const number = '+442071838750';
const [a, b] = ['+447911123456', '+447911123457'];
const endings: (() => Promise<void> | void)[] = [];
let app: TestApp;
let platform: CloudSimulator;
let smsc: Smsc;
let carrier: Phone;
let origin: string;

before(async () => {
  platform = await startCloudSimulator({ speed: 1000, phone: number, settings: { pairEveryMs: null } });
  // The company has its template there already.
  platform.addTemplate({
    name: 'new_lead',
    language: 'en_GB',
    components: [{ type: 'BODY', text: 'Lead: {{1}}, reach them.' }],
  });
  smsc = await startSmsc({ settings: { receiptAfterMs: 20 } });
  carrier = await openPhone({ after: (done) => endings.push(done) }, '127.0.0.2');
  app = await startTestApp({
    CLOUD_API_URL: platform.url,
    PUBLIC_URL: 'https://parley.example',
    SMPP_ALLOW: '127.0.0.0/8',
    SIP_ALLOW: '127.0.0.0/8',
    SIP_HOST: '127.0.0.1',
    SIP_PORT: '0',
  });
  origin = await app.app.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await app.close();
  await Promise.all([platform.close(), smsc.close()]);
  for (const end of endings) await end();
});

const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<Any> => {
  const answered = await app.call(method, url, body);
  assert.ok(answered.status < 300, `${method} ${url}: ${answered.status} ${JSON.stringify(answered.body)}`);
  return answered.body;
};
const post = (url: string, body: object) => ask('POST', url, body);
const get = (url: string) => ask('GET', url);
const opens = async (link: string): Promise<string> => {
  const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari' };
  const place = link.slice(link.indexOf('/l/'));
  return String((await app.call('GET', place, undefined, { token: null, headers })).headers['location']);
};
const reaches = (url: string, status: string) =>
  until(`${url} is ${status}`, async () => (await get(url)).status === status || undefined);
const sandboxPhone = (of: string, words: RegExp) =>
  until(`${of} shows ${words}`, async () => {
    const { results } = await get(`/v2/sandbox/phones/${encodeURIComponent(of)}/`);
    return results.some((message: Any) => words.test(JSON.stringify(message))) || undefined;
  });
const platformPhone = (of: string, words: RegExp) =>
  until(`${of} got ${words}`, async () => {
    const got = platform.person(of).messages();
    return got.some((message) => message.direction === 'out' && words.test(JSON.stringify(message))) || undefined;
  });
const template = {
  template_name: 'new_lead',
  components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
};
const notice = (from: string, to: string) => ({
  chatapp_number: from,
  to_chatapp_number: to,
  type: 'TEMPLATE',
  template,
});

describe('day one', () => {
  let intro: Any;
  let sender: Any;

  it('the company’s number sends at once, without having been registered', async () => {
    const { uuid } = await post('/v2/chatapp/messages/', notice(number, a));
    await reaches(`/v2/chatapp/messages/${uuid}/`, 'READ');
    sender = (await get(`/v2/chatapp/accounts/?chatapp_number=${encodeURIComponent(number)}`)).results[0];
    assert.deepEqual([sender.carrier, sender.adopted], ['sandbox', true]);
  });

  it('an intro is made, its link opened, and both sides meet in the sandbox', async () => {
    intro = await post('/v2/chatapp/chat-intros/', {
      chatapp_number: number,
      reference_id: 'FLAT-7',
      expected_message_template: 'Hello, I like {{reference_id}}',
      reply_message_template: 'Thank you, somebody will write to you.',
      notify_type: 'CHATAPP',
      notify_to_phone_number: b,
      notify_chatapp_template_name: 'new_lead',
      notify_chatapp_template_params: ['{{aparty_number}}'],
    });
    assert.match(await opens(intro.chat_link), /\/console\/phone\/.*FLAT-7/);
    await post('/v2/sandbox/chatapp/messages/', { from: a, to: number, text: { body: 'Hello, I like FLAT-7' } });
    await sandboxPhone(a, /Thank you, somebody/);
    await sandboxPhone(b, /new_lead/);
  });

  it('the number is connected to the platform, and is the same chat-app account', async () => {
    const answered = await app.call('POST', '/v2/chatapp/accounts/', {
      chatapp_number: number,
      carrier: 'cloud-api',
      phone_number_id: platform.numberId,
      business_account_id: platform.accountId,
      app_id: '1000000000000001',
      access_token: platform.token,
      app_secret: platform.appSecret,
      verify_token: 'ours',
    });
    assert.equal(answered.status, 201, JSON.stringify(answered.body));
    assert.deepEqual([answered.body.uuid, answered.body.carrier], [sender.uuid, 'cloud-api']);
    assert.match(String(answered.headers['parley-warnings']), /`registered`/);
    assert.equal((await get('/v2/account/')).sandbox, 'registered');
    await platform.setWebhook(`${origin}${answered.body.webhook_path}`, 'ours');
    await until('the platform’s template is known', async () => {
      const { results } = await get('/v2/chatapp/message-templates/?name=new_lead&status=APPROVED');
      return results.length === 1 || undefined;
    });
  });

  it('the number is brought into the pool and bought, for SMS and calls', async () => {
    await post('/v2/number/pool/', [{ number, capabilities: ['VOICE', 'SMS'], carrier: 'acme-telecom' }]);
    const { results } = await get('/v2/number/search/?country_code=GB');
    assert.deepEqual(
      results.map((one: Any) => [one.number, one.carrier]),
      [[number, 'acme-telecom']],
    );
    assert.equal((await post('/v2/number/', { country_code: 'GB' })).number, number);
  });

  it('an SMS link and a trunk are connected', async () => {
    const { host, port } = smsc;
    await post('/v2/sms-links/', { name: 'Centre', host, port, system_id: 'parley', password: 'parley' });
    await post('/v2/sip-trunks/', { name: 'Carrier', host: carrier.address, port: carrier.port });
    await until('the link is up', async () => smsc.connections.size > 0);
  });

  it('the same intro is live: same uuid, same link, which leads to the platform', async () => {
    const now = await get(`/v2/chatapp/chat-intros/${intro.uuid}/`);
    assert.deepEqual([now.uuid, now.chat_link], [intro.uuid, intro.chat_link]);
    const location = new URL(await opens(intro.chat_link));
    assert.equal(`${location.origin}${location.pathname}`, `https://wa.me/${number.slice(1)}`);
    assert.equal(location.searchParams.get('text'), 'Hello, I like FLAT-7');
  });

  it('somebody opens it and writes: the reply and the notification leave by the platform', async () => {
    platform.person(a).writes('Hello, I like FLAT-7');
    await platformPhone(a, /Thank you, somebody/);
    await platformPhone(b, /new_lead/);
    const { results } = await get(`/v2/chatapp/chat-intros/${intro.uuid}/sessions/?ordering=-created`);
    assert.deepEqual(
      results.map(({ status }: Any) => status),
      ['NOTIFIED', 'EXPIRED'],
      'the one of the sandbox is over',
    );
  });

  it('SMS leave and come by the link', async () => {
    const { uuid } = await post('/v2/send-sms/', { from: number, to: a, text: 'Your viewing is at ten.' });
    await reaches(`/v2/send-sms/${uuid}/`, 'DELIVERED');
    assert.deepEqual(
      smsc.received.map(({ pdu }) => [pdu.source_addr, pdu.destination_addr]),
      [[number.slice(1), a.slice(1)]],
    );
    await smsc.write({ from: a.slice(1), to: number.slice(1), text: 'See you at ten' });
    await until('it came', async () => {
      const { results } = await get(`/v2/sms-records/?from=${encodeURIComponent(a)}`);
      return results.length === 1 || undefined;
    });
  });

  it('calls leave by the trunk', async () => {
    carrier.answerAll((asked) => {
      if (asked.startsWith('ACK')) return undefined;
      const body = asked.startsWith('INVITE') ? sdp(carrier.address, carrier.rtp.port) : '';
      return answer(asked, 200, { headers: { Contact: `<sip:phone@${carrier.address}:${carrier.port}>` }, body });
    });
    const { uuid } = await post('/v2/voice/calls/', { from: number, to: a, tts: 'Your viewing is at ten.' });
    assert.match(await carrier.next(/^INVITE/), new RegExp(`^INVITE sip:\\${a}@`));
    await reaches(`/v2/voice/calls/${uuid}/`, 'ENDED');
    assert.equal((await get(`/v2/voice/calls/${uuid}/`)).result, 'ANSWERED');
  });

  it('a typo is an error now, on every channel, and never a READ', async () => {
    const typo = '+442071838751';
    for (const [url, body, field] of [
      ['/v2/chatapp/messages/', notice(typo, a), 'chatapp_number'],
      ['/v2/send-sms/', { from: typo, to: a, text: 'Hello' }, 'from'],
      ['/v2/voice/calls/', { from: typo, to: a, tts: 'Hello' }, 'from'],
    ] as const) {
      const answered = await app.call('POST', url, body);
      assert.deepEqual([answered.status, Object.keys(answered.body)], [400, [field]], url);
    }
    const unknown = { ...notice(number, a), template: { template_name: 'new_laed' } };
    assert.deepEqual(Object.keys((await app.call('POST', '/v2/chatapp/messages/', unknown)).body.template), [
      'template_name',
    ]);
  });
});
