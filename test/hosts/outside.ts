import { startCloudSimulator } from '../../simulators/cloud-api/index.ts';
import { startSmsc } from '../../simulators/smsc/index.ts';
import { until } from '../kit/until.ts';
import type { Client } from './client.ts';

/** Who is on the other side: the chat platform and an SMS centre. They know what each phone was given. */
export interface Outside {
  /** What hosts have to be set to, in order to reach them. */
  env: Record<string, string>;
  /** Registers a chat number, whose webhooks go to this host, and opens a link to the SMS centre. */
  connect(client: Client, host: string): Promise<void>;
  /** Returns when both have told everything that they have to tell. */
  told(): Promise<void>;
  /** The phones that got something, each as often as it did. */
  taken(): Record<'chat' | 'sms', string[]>;
  stop(): Promise<void>;
}

/** Webhooks and receipts are tried for as long as a database can be away. */
const patience = { retryAfterMs: Array<number>(3000).fill(100_000), batchWaitMs: 20_000 };

export async function startOutside(chatNumber: string, smsSender: string): Promise<Outside> {
  const platform = await startCloudSimulator({
    speed: 1000,
    seed: 11,
    phone: chatNumber,
    settings: { pairEveryMs: null, duplicateShare: 0.1, shuffle: true, ...patience },
  });
  for (const known of platform.world.numbers.values()) known.throughputPerSecond = 1e9;
  for (const name of ['welcome', 'offer'])
    platform.addTemplate({ name, components: [{ type: 'BODY', text: `The text of ${name}.` }] });
  const centre = await startSmsc({ settings: { receiptAfterMs: 200, deliveryRetryMs: 200, deliveryTries: 100_000 } });
  const accepted = () => centre.received.filter(({ message }) => message);

  return {
    env: { CLOUD_API_URL: platform.url, SMPP_ALLOW: '127.0.0.1' },
    async connect(client, host) {
      const account = await client.send('POST', '/v2/chatapp/accounts/', {
        chatapp_number: chatNumber,
        carrier: 'cloud-api',
        messages_per_second: 5000,
        phone_number_id: platform.numberId,
        business_account_id: platform.accountId,
        app_id: '1000000000000001',
        access_token: platform.token,
        app_secret: platform.appSecret,
        verify_token: 'verify',
      });
      await platform.setWebhook(host + account.webhook_path, 'verify');
      await client.send('POST', '/v2/chatapp/message-templates/sync/', {});
      await until(
        'the templates are known',
        () => client.send('GET', '/v2/chatapp/message-templates/?status=APPROVED'),
        ({ count }) => count === 2,
      );
      await client.send('POST', '/v2/sms-senders/', { sender: smsSender });
      const place = { host: centre.host, port: centre.port, system_id: 'parley', password: 'parley' };
      await client.send('POST', '/v2/sms-links/', { name: 'Centre', ...place, messages_per_second: 5000 });
      await until('the link is up', () => centre.connections.size > 0);
    },
    async told() {
      await platform.idle();
      const answered = () => centre.deliveries.filter(({ status }) => status === 0).length;
      await until('all receipts are taken', () => answered() >= accepted().length, Boolean, 600_000);
    },
    taken() {
      const sent = [...platform.world.messages.values()].filter(({ direction }) => direction === 'out');
      return {
        chat: sent.map(({ person }) => `+${person.waId}`),
        sms: accepted().map(({ pdu }) => `+${pdu.destination_addr}`),
      };
    },
    async stop() {
      await platform.close();
      await centre.close();
    },
  };
}
