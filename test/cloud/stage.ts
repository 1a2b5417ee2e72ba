import assert from 'node:assert/strict';
import { type CloudSimulator, type SimulatorOptions, startCloudSimulator } from '../../simulators/cloud-api/index.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

/** Parley and the platform, each on its own port, with one number that both know. */
export interface CloudStage {
  app: TestApp;
  simulator: CloudSimulator;
  /** The number of the business, and its chat-app account. */
  number: string;
  account: { uuid: string };
  webhookUrl: string;
  send(message: object): Promise<{ status: number; body: Record<string, never> }>;
  /** The message, once it has that status. */
  reaches(uuid: string, status: string): Promise<Record<string, never>>;
  close(): Promise<void>;
}

const number = '+34900111222';
const verifyToken = 'a token of our own';

/** At speed 1,000 what takes seconds on the platform takes milliseconds here. */
export async function startCloudStage(
  options: SimulatorOptions = {},
  env: Record<string, string> = {},
): Promise<CloudStage> {
  const settings = { pairEveryMs: null, ...options.settings };
  const simulator = await startCloudSimulator({ speed: 1000, phone: number, ...options, settings });
  const app = await startTestApp({ CLOUD_API_URL: simulator.url, ...env });
  const origin = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { status, body: account } = await app.call('POST', '/v2/chatapp/accounts/', {
    chatapp_number: number,
    carrier: 'cloud-api',
    messages_per_second: 10_000,
    phone_number_id: simulator.numberId,
    business_account_id: simulator.accountId,
    app_id: '1000000000000001',
    access_token: simulator.token,
    app_secret: simulator.appSecret,
    verify_token: verifyToken,
  });
  assert.equal(status, 201, JSON.stringify(account));
  const webhookUrl = `${origin}${account.webhook_path}`;
  await simulator.setWebhook(webhookUrl, verifyToken);
  return {
    app,
    simulator,
    number,
    account,
    webhookUrl,
    send: (message) => app.call('POST', '/v2/chatapp/messages/', { chatapp_number: number, ...message }),
    reaches: (uuid, status) =>
      until(`message ${uuid} is ${status}`, async () => {
        const { body } = await app.call('GET', `/v2/chatapp/messages/${uuid}/`);
        return body.status === status ? body : undefined;
      }),
    async close() {
      await simulator.close();
      await app.close();
    },
  };
}

const backwards = ['read', 'delivered', 'sent'];

/** Statuses in the wrong order, in whatever order the platform's timers fired. */
export function latestFirst<T extends object>(updates: T[]): T[] {
  const placeOf = (update: object) => backwards.indexOf((update as { item?: { status?: string } }).item?.status ?? '');
  return updates.toSorted((one, other) => placeOf(one) - placeOf(other));
}
