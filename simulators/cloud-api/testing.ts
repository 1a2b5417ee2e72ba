import Fastify from 'fastify';
import { type CloudSimulator, type SimulatorOptions, startCloudSimulator } from './simulator.ts';
import { signatureOf } from './webhooks/payload.ts';

export interface Change {
  field: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes
  value: any;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes
  body: any;
}

export interface Status {
  id: string;
  status: string;
  errors?: { code: number }[];
  pricing?: Record<string, unknown>;
  [key: string]: unknown;
}

/** A simulator, a plain HTTP client of it, and somebody who listens to its webhooks. */
export interface Stage {
  simulator: CloudSimulator;
  number: string;
  account: string;
  /** A Graph call; `path` without the version. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a message of the first number; the envelope is filled in. */
  send(message: object): Promise<Answer>;
  /** Bodies of webhooks, as they came, whose signature was right. */
  bodies: string[];
  forged: number;
  /** What the webhooks told, once everything is under way no more. */
  changes(): Promise<Change[]>;
  statuses(): Promise<Status[]>;
  /** Answers of the listener to the next webhooks; afterwards 200. */
  refuseWith: number[];
  close(): Promise<void>;
}

/** At speed 1,000 what takes seconds on the platform takes milliseconds here. Webhooks come one at a time, in order. */
export async function startStage(options: SimulatorOptions = {}): Promise<Stage> {
  const settings = { concurrency: 1, ...options.settings };
  const simulator = await startCloudSimulator({ speed: 1000, ...options, settings });
  const listener = Fastify({ forceCloseConnections: true, bodyLimit: 4 * 1024 * 1024 });
  listener.removeAllContentTypeParsers();
  listener.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  listener.get('/hook', (request, reply) => {
    const query = request.query as Record<string, string>;
    if (query['hub.verify_token'] !== 'right') return reply.code(403).send('no');
    return reply.type('text/plain').send(query['hub.challenge']);
  });
  listener.post('/hook', (request, reply) => {
    const body = request.body as string;
    const refusal = stage.refuseWith.shift();
    if (refusal !== undefined) return reply.code(refusal).send();
    if (request.headers['x-hub-signature-256'] === signatureOf(simulator.appSecret, body)) stage.bodies.push(body);
    else stage.forged++;
    return reply.code(200).send();
  });
  await simulator.setWebhook(`${await listener.listen({ host: '127.0.0.1', port: 0 })}/hook`, 'right');

  const stage: Stage = {
    simulator,
    number: simulator.numberId,
    account: simulator.accountId,
    bodies: [],
    forged: 0,
    refuseWith: [],
    async call(method, path, body, headers = {}) {
      const raw = body instanceof FormData || body instanceof Uint8Array;
      const response = await fetch(`${simulator.url}/v26.0/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${simulator.token}`,
          ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: raw ? (body as FormData) : JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    send: (message) =>
      stage.call('POST', `${stage.number}/messages`, { messaging_product: 'whatsapp', to: '+34600111222', ...message }),
    async changes() {
      await simulator.idle();
      return stage.bodies.flatMap((body) =>
        JSON.parse(body).entry.flatMap((entry: { changes: Change[] }) => entry.changes),
      );
    },
    async statuses() {
      return (await stage.changes()).flatMap(({ value }) => value.statuses ?? []);
    },
    async close() {
      await simulator.close();
      await listener.close();
    },
  };
  return stage;
}
