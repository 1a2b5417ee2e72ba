import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../simulators/cloud-api/settings.ts';
import { message } from './message.ts';
import { call, type Server, startServer } from './server.ts';

/** The chat-app platform, played by the simulator of its Cloud API in a process of its own, and a sender that is its client. */

export const numberId = '1000000000000003';
const businessAccountId = '1000000000000002';
const verifyToken = 'bench-verify-token';
export const appSecret = 'simulator-app-secret';
const syncLimitMs = 10_000;

/** What `message` fills. */
const template = {
  name: message.template.template_name,
  language: message.template.language_code,
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Hello {{1}}, your viewing of {{2}} is on {{3}}.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com/{{1}}' }] },
  ],
};

/** A platform without limits of its own, so that ours are what is measured. */
export async function startSimulator(scope: AsyncDisposableStack, settings: Partial<Settings> = {}): Promise<Server> {
  const given = JSON.stringify({ pairEveryMs: null, enforceWindow: false, ...settings });
  const program = 'simulators/cloud-api/main.ts';
  const options = (port: number) => ['--port', String(port), '--phone', message.chatapp_number, '--settings', given];
  const simulator = await startServer(
    scope,
    (port) => [process.execPath, program, ...options(port)],
    '/_simulator/',
    {},
  );
  await call(simulator, 'PATCH', `/_simulator/numbers/${numberId}`, { throughputPerSecond: null });
  await call(simulator, 'POST', '/_simulator/templates', template);
  return simulator;
}

export const changeSettings = (simulator: Server, settings: Partial<Settings>): Promise<unknown> =>
  call(simulator, 'PATCH', '/_simulator/settings', settings);

export interface Sender {
  uuid: string;
  webhook_path: string;
}

/** Registers the number that `message` is sent from as one of the Cloud API. */
export const registerSender = (parley: Server, messagesPerSecond: number): Promise<Sender> =>
  call(parley, 'POST', '/v2/chatapp/accounts/', {
    chatapp_number: message.chatapp_number,
    carrier: 'cloud-api',
    messages_per_second: messagesPerSecond,
    phone_number_id: numberId,
    business_account_id: businessAccountId,
    app_id: '1000000000000001',
    access_token: 'simulator-token',
    app_secret: appSecret,
    verify_token: verifyToken,
  });

/** Fetches the platform's templates; returns when messages can name ours. */
export async function syncTemplates(parley: Server): Promise<void> {
  await call(parley, 'POST', '/v2/chatapp/message-templates/sync/', {});
  const deadline = performance.now() + syncLimitMs;
  for (;;) {
    const { results } = await call<{ results: { status: string }[] }>(parley, 'GET', '/v2/chatapp/message-templates/');
    if (results.some(({ status }) => status === 'APPROVED')) return;
    if (performance.now() > deadline) throw new Error('The templates were not fetched');
    await sleep(20);
  }
}

/** The platform reports to us from now on. */
export const subscribe = (simulator: Server, parley: Server, { webhook_path }: Sender): Promise<unknown> =>
  call(simulator, 'POST', '/_simulator/webhook', { url: `${parley.url}${webhook_path}`, verifyToken });
