import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { badBodies } from '../../sweep/bad-bodies.ts';
import { mutate, type Random, randomFor } from '../random.ts';
import { isFault, type Surface } from '../surface.ts';
import type { Target } from '../target.ts';

const appSecret = 'the secret of the app';
export const platformNumber = '+447700900555';

/** A chat platform that answers nonsense as often as sense. */
export async function startNonsense(seed: number): Promise<{ url: string; close(): void }> {
  let asked = 0;
  const server = http.createServer((request, response) => {
    const random = randomFor(seed, 'nonsense', ++asked);
    request.resume();
    request.on('error', () => {});
    response.on('error', () => {});
    if (random.chance(0.1)) return void request.socket.destroy();
    const status = random.pick([200, 200, 200, 200, 204, 302, 400, 401, 403, 404, 413, 429, 500, 502, 503]);
    response.writeHead(status, { 'content-type': random.pick(['application/json', 'text/html', 'image/png']) });
    response.end(
      random.pick([
        JSON.stringify({ messages: [{ id: `wamid.${asked}` }] }),
        JSON.stringify({ messages: [{ id: 5 }], id: null, data: [{}], success: true }),
        JSON.stringify({ error: { message: 'x', code: 131056, error_subcode: {}, fbtrace_id: [] } }),
        JSON.stringify({ error: 'no' }),
        '{"messages":',
        'null',
        '[]',
        '',
        'x'.repeat(100_000),
      ]),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Webhooks of the chat platform: signed as they must be, with payloads that are right in all but a few places. */
export async function platformSurface(target: Target): Promise<Surface> {
  const account = await target.must('POST', '/v2/chatapp/accounts/', {
    chatapp_number: platformNumber,
    carrier: 'cloud-api',
    phone_number_id: '1055',
    business_account_id: '2055',
    app_id: '3055',
    access_token: 'access',
    app_secret: appSecret,
    verify_token: 'verify',
  });
  let sent = 0;
  return {
    name: 'platform',
    concurrency: 2,
    async attack(random) {
      const body = payloadOf(random, ++sent);
      const signature = createHmac('sha256', appSecret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
      const answer = await target.ask({ method: 'POST', path: account.webhook_path, headers, body });
      return isFault(answer.status) ? `${body.toString('utf8').slice(0, 800)} → ${answer.status}` : undefined;
    },
  };
}

function payloadOf(random: Random, number: number): Buffer {
  const timestamp = random.pick([
    String(Math.floor(Date.now() / 1000)),
    '0',
    '-1',
    '253402214400',
    '99999999999999',
    'now',
  ]);
  const from = `4477009${String(random.below(100_000)).padStart(5, '0')}`;
  const message = random.pick<object>([
    { type: 'text', text: { body: random.pick(['STOP', 'START', 'HELP', 'hello', '😀'.repeat(2_000)]) } },
    { type: 'image', image: { id: '77', mime_type: 'image/png', sha256: 'x', caption: 'y' } },
    { type: 'location', location: { latitude: 51.5, longitude: -0.1 } },
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'b' } } },
    {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{"flow_token":"x","a":1}' } },
    },
    { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } },
    { type: 'contacts', contacts: [{ name: { formatted_name: 'A' }, phones: [{ phone: '+1' }] }] },
    { type: 'unsupported', errors: [{ code: 131051 }] },
  ]);
  const value = random.pick<object>([
    {
      contacts: [{ profile: { name: 'Ольга' }, wa_id: from }],
      messages: [{ from, id: `wamid.f${number}`, timestamp, ...message }],
    },
    {
      statuses: [
        {
          id: `wamid.${random.below(1000)}`,
          status: random.pick(['sent', 'read', 'failed', 'x']),
          timestamp,
          recipient_id: from,
        },
      ],
    },
    { event: 'APPROVED', message_template_id: 1, message_template_name: 'welcome', message_template_language: 'en_GB' },
  ]);
  const payload = {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '2055',
        changes: [
          {
            field: 'event' in value ? 'message_template_status_update' : 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: platformNumber.slice(1), phone_number_id: '1055' },
              ...value,
            },
          },
        ],
      },
    ],
  };
  if (random.chance(0.3)) return Buffer.from(JSON.stringify(payload));
  if (random.chance(0.2)) return mutate(random, Buffer.from(JSON.stringify(payload)));
  const [changed] = fc.sample(badBodies(payload, []), { seed: random.seed, numRuns: 1 });
  return Buffer.from(JSON.stringify(changed) ?? '');
}
