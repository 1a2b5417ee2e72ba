import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnMessageArgs, OnStatusArgs } from 'whatsapp-api-js/emitters';
import { WhatsAppAPI } from 'whatsapp-api-js/middleware/node-http';
import { startCloudSimulator } from '../../simulators/cloud-api/index.ts';
import { publishFlow } from './outbound-props.ts';

const templates = [
  {
    name: 'visit',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hi {{1}}, {{2}} is here' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'URL', text: 'See', url: 'https://x.example/{{1}}' },
        ],
      },
    ],
  },
  {
    name: 'code',
    category: 'AUTHENTICATION',
    components: [
      { type: 'BODY', text: '*{{1}}* is your verification code.' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: 'https://x.example/?code=otp{{1}}' }] },
    ],
  },
];

/** The simulator, and a client that others wrote for the platform, which listens to it with its own server. */
export async function startForeignClient() {
  // It reads one update of each POST. What it refuses is not to come again.
  const settings = { batchMax: 1, concurrency: 1, pairEveryMs: null, retryAfterMs: [] };
  const simulator = await startCloudSimulator({ speed: 1000, settings });
  // It knows no other field.
  simulator.world.app.fields = new Set(['messages']);
  for (const template of templates) simulator.addTemplate(template);
  const client = new WhatsAppAPI({
    token: simulator.token,
    appSecret: simulator.appSecret,
    webhookVerifyToken: 'verify',
    v: 'v26.0',
    // The platform's address is written into it.
    ponyfill: { fetch: (to, init) => fetch(String(to).replace('https://graph.facebook.com', simulator.url), init) },
  });
  const messages: OnMessageArgs[] = [];
  const statuses: OnStatusArgs[] = [];
  /** How it answered webhooks. */
  const answered: number[] = [];
  client.on.message = (told) => void messages.push(told);
  client.on.status = (told) => void statuses.push(told);
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return response.end(client.handle_get(request));
    response.statusCode = await client.handle_post(request);
    answered.push(response.statusCode);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await simulator.setWebhook(url, 'verify');
  const flow = await publishFlow(simulator);
  return {
    simulator,
    client,
    url,
    flow,
    messages,
    statuses,
    answered,
    forget() {
      for (const list of [messages, statuses, answered]) list.length = 0;
    },
    async close() {
      await simulator.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
