import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Api, type Json, until } from './api.ts';
import type { Story } from './story.ts';

/** Two endpoints of the business's own systems: one takes everything, the other is out of order. */
const good = 'The CRM of Orchard & Vale';
const broken = 'The old data warehouse';

export interface Receiver {
  origin: string;
  close(): void;
}

/** A server that plays both systems. Nobody waits for it when the process has nothing else to do. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    await drained(request);
    if (request.url === '/warehouse')
      response.writeHead(500, { 'content-type': 'text/plain' }).end('Disk full since Tuesday');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"taken": true}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close().closeAllConnections(),
  };
}

async function drained(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

/**
 * Names the endpoints; answers what the numbers are to tell. A server that sends nothing to its own machine gets addresses that no
 * name server knows, so that everything fails.
 */
export async function listen({ api, tell }: Story, { origin }: Receiver): Promise<string[]> {
  const allowed = await endpoints(api, origin).then(
    () => true,
    async (error: Error) => {
      if (!error.message.includes('"url"')) throw error;
      await endpoints(api, 'https://systems.orchardandvale.example');
      return false;
    },
  );
  tell(
    allowed
      ? 'Webhooks: the CRM, which works, and the data warehouse, which does not.'
      : 'Webhooks: two that fail; with WEBHOOK_ALLOW_PRIVATE=true one of them would work.',
  );
  return ['telephony'];
}

/** All but the steps of each message, which would be thousands. */
const crmEvents = [
  'chatapp.message.received',
  'chatapp.template.status',
  'chatapp.flow.answered',
  'chatapp.lead.created',
  'chat_intro.started',
  'chat_intro.connected',
  'optout.changed',
  'campaign.started',
  'campaign.completed',
  'job.finished',
  'insight.keyword',
];

async function endpoints(api: Api, origin: string): Promise<void> {
  await api.post('/v2/chatapp/webhooks/', { url: `${origin}/crm`, description: good, events: crmEvents });
  const events = ['chat_intro.connected', 'chatapp.lead.created', 'optout.changed'];
  await api.post('/v2/chatapp/webhooks/', { url: `${origin}/warehouse`, description: broken, events });
  await api.post('/v2/number/webhooks/', {
    name: 'telephony',
    url: `${origin}/telephony`,
    description: 'The call centre screen',
  });
}

/** The port that the endpoints of an earlier run name. */
export async function portOf(api: Api): Promise<number> {
  const { results } = await api.get('/v2/chatapp/webhooks/');
  const found = results.find(({ description }: Json) => description === good);
  return found ? Number(new URL(found.url).port) : 0;
}

/** Waits until what is to arrive has arrived; what fails is tried again for days. */
export const delivered = ({ api }: Story): Promise<unknown> =>
  until('the webhooks', async () => {
    const { results } = await api.get('/v2/webhook-deliveries/?status=PENDING&page_size=200');
    return results.every(({ attempt_count }: Json) => attempt_count > 0);
  });
