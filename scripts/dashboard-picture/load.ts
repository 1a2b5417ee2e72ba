/** What goes on while the dashboards are drawn: messages, SMS, calls, campaigns, jobs and webhooks of an ordinary day, within minutes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSmsc } from '../../simulators/smsc/index.ts';

type Call = (method: string, address: string, body?: object) => Promise<Record<string, string>>;

const [sender, smsSender] = ['+447700900001', 'Parley'];
/** Endings of numbers with a behaviour of their own in the sandbox: never read, refused, failing, throttled, answering. */
const oddChats = ['9001', '9010', '9012', '9041', '9034', '9040'];
const oddSms = ['9011', '9035', '9041', '9012'];
const callees = ['9050', '9051', '9053', '9054', '9058', '9059', '9054', '9050'];
const person = (at: number): string => `+4477009${String(10_000 + (at % 80_000))}`;
const odd = (endings: string[], at: number): string => `+44770090${endings[at % endings.length]}`;

const template = (to: string): object => ({
  chatapp_number: sender,
  to_chatapp_number: to,
  type: 'TEMPLATE',
  template: { template_name: 'welcome' },
});

/** A receiver of webhooks that is slow at times, and fails now and then. */
async function startReceiver() {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      count++;
      setTimeout(() => response.writeHead(count % 700 === 0 ? 503 : 204).end(), 5 + (count % 17) * 6);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Goes on for so long; `call` asks the server. */
export async function makeLoad(url: string, call: Call, minutes: number): Promise<void> {
  const receiver = await startReceiver();
  const smsc = await startSmsc({ settings: { receiptAfterMs: 300 } });
  try {
    await call('POST', '/v2/chatapp/webhooks/', { url: receiver.url, events: ['chatapp.message.status'] });
    const link = { name: 'Main', host: '127.0.0.1', port: smsc.port, system_id: 'parley', password: 'parley' };
    await call('POST', '/v2/sms-links/', link);
    await call('POST', '/v2/sms-senders/', { sender: smsSender });
    // A link ends the adoption of numbers, which all else here needs.
    await call('PATCH', '/v2/account/', { sandbox: 'adopt' });
    const list = await makeList(call);
    const opened = await makeLink(url, call);
    const startedMs = performance.now();
    for (let second = 0; performance.now() - startedMs < minutes * 60_000; second++) {
      const next = startedMs + (second + 1) * 1000;
      const done = await Promise.allSettled(oneSecond(call, second, list, opened));
      for (const one of done) if (one.status === 'rejected') console.error(String(one.reason));
      await sleep(Math.max(0, next - performance.now()));
    }
  } finally {
    receiver.close();
    await smsc.close();
  }
}

/** Busier and quieter in turns, with a rush now and then. */
function oneSecond(call: Call, second: number, list: string, opened: () => Promise<unknown>): Promise<unknown>[] {
  const wave = 1 + Math.sin(second / 22);
  const messages = Math.round(4 + 8 * wave + (second % 100 > 88 ? 40 : 0));
  const work: Promise<unknown>[] = Array.from({ length: messages }, (_, at) =>
    call(
      'POST',
      '/v2/chatapp/messages/',
      template(at % 9 === 8 ? odd(oddChats, second + at) : person(second * 40 + at)),
    ),
  );
  const to = Array.from({ length: Math.round(3 + 5 * wave) }, (_, at) =>
    at % 7 === 6 ? odd(oddSms, second) : person(second * 31 + at),
  );
  work.push(
    call('POST', '/v2/send-sms/multiple/', { from: smsSender, to, text: 'Your viewing is at 10:30 tomorrow.' }),
  );
  work.push(
    call('GET', '/v2/chatapp/messages/?page_size=25'),
    call('GET', '/v2/reports/?metric=messages').catch(() => {}),
  );
  if (second % 2 === 0) work.push(opened());
  if (second % 3 === 0)
    work.push(
      call('POST', '/v2/voice/calls/', { from: sender, to: odd(callees, second / 3), tts: 'Your table is ready.' }),
    );
  if (second % 4 === 0) work.push(call('GET', '/v2/contacts/no-such-contact/').catch(() => {}));
  if (second % 60 === 20) work.push(launch(call, list, second));
  if (second % 20 === 5) work.push(call('POST', '/v3/jobs/', { type: 'contacts.export', input: {} }));
  if (second % 45 === 10)
    work.push(
      call('POST', '/v3/jobs/', { type: 'sms.send', input: { from: smsSender, to, text: 'We are open on Sunday.' } }),
    );
  return work;
}

async function makeList(call: Call): Promise<string> {
  const { uuid = '' } = await call('POST', '/v2/lists/', { name: 'Open house' });
  const contacts = Array.from({ length: 400 }, (_, at) => ({ phone_number: person(70_000 + at), name: `Guest ${at}` }));
  await call('POST', '/v3/jobs/', { type: 'contacts.import', input: { contacts, list: uuid } });
  return uuid;
}

async function launch(call: Call, list: string, second: number): Promise<void> {
  const campaign = await call('POST', '/v2/campaigns/', {
    name: `Open house ${second}`,
    channel: 'SMS',
    sender: smsSender,
    lists: [list],
    text: 'The house is open on Saturday from 10 to 12.',
    quiet_hours: false,
  });
  await call('POST', `/v2/campaigns/${campaign['uuid']}/launch/`);
}

/** A chat intro; answers how to open its link. */
async function makeLink(url: string, call: Call): Promise<() => Promise<unknown>> {
  // The sandbox adopts the number with the first message.
  await call('POST', '/v2/chatapp/messages/', template(person(0)));
  const intro = await call('POST', '/v2/chatapp/chat-intros/', {
    chatapp_number: sender,
    reference_id: 'LANE-12',
    expected_message_template: 'Hi, I am interested in {{reference_id}}',
    reply_message_template: 'Thank you. We will write to you.',
    notify_type: 'CHATAPP',
    notify_to_phone_number: '+447700900555',
    notify_chatapp_template_name: 'new_lead',
  });
  const address = `${url}/l/${intro['chat_link']!.replace(/^.*\/l\//, '')}`;
  return () => fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(30_000) });
}
