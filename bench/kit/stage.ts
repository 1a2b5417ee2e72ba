import { setTimeout as sleep } from 'node:timers/promises';
import { userAgent } from '../chat/redirect.ts';
import { recipientDigits, sender, text } from '../sms/sms-contender.ts';
import { connect, waitForStanding } from '../sms/sms-parley.ts';
import { setReceipts, startSmsc } from '../sms/smsc.ts';
import { acceptMessages, forEachOf, readLedger, waitForLedger } from './accept.ts';
import { registerSender, startSimulator, subscribe, syncTemplates } from './cloud.ts';
import { type Database, startDatabase } from './database.ts';
import { message } from './message.ts';
import { endChild, hasEnded, startChild } from './processes.ts';
import { createWebhook, type Receivers, startReceivers, waitUntilDelivered } from './receivers.ts';
import { call, makeDataDirectory, type Server, startParley } from './server.ts';

const [ours, callee, caller] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
const [sipPort, calleePort, callerPort] = [15_060, 15_070, 15_080];
const callsPerSecond = 100;

/** A Parley that is live on every channel. The other sides are simulators, and SIPp, in processes of their own. */
export interface Stage {
  database: Database;
  parley: Server;
  receivers: Receivers;
}

/** Does so many of something, and returns when all of them have got as far as they come. */
export type Work = (count: number) => Promise<void>;

export async function setUpStage(
  scope: AsyncDisposableStack,
): Promise<Stage & Record<'messages' | 'sms' | 'clicks', Work> & { calls?: Work }> {
  const dataDirectory = await makeDataDirectory(scope);
  const [database, receivers, simulator, smsc] = await Promise.all([
    startDatabase(scope, dataDirectory),
    startReceivers(scope),
    startSimulator(scope, { sentAfterMs: 1, deliveredAfterMs: 1, readAfterMs: 1, reach: 'read' }),
    startSmsc(scope, ['parley']),
  ]);
  const settings = {
    DATABASE_URL: database.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    CLOUD_API_URL: simulator.url,
    SMPP_ALLOW: '127.0.0.1',
    SIP_ALLOW: '127.0.0.0/8',
    SIP_HOST: ours,
    SIP_PORT: String(sipPort),
    RTP_PORTS: '30000-39999',
  };
  const parley = await startParley(scope, { dataDirectory, settings });
  // The sandbox has numbers; what follows takes the account out of it.
  const wanted = { country_code: 'GB', target_number: '+447700900999' };
  const { number } = await call<{ number: string }>(parley, 'POST', '/v2/number/', wanted);
  const chat = await registerSender(parley, 100_000);
  await syncTemplates(parley);
  await subscribe(simulator, parley, chat);
  await call(parley, 'POST', '/v2/sms-senders/', { sender });
  await connect(parley, smsc);
  await setReceipts(smsc, true);
  const stage = { database, parley, receivers };
  const calls = await dialling(scope, parley, number, dataDirectory);
  return {
    ...stage,
    messages: sending(parley),
    sms: texting(stage),
    clicks: await clicking(stage),
    ...(calls && { calls }),
  };
}

/** From now on every step of a message is told to a webhook. */
export async function listen({ parley, receivers }: Stage): Promise<void> {
  await createWebhook(parley, receivers.urls[0]!);
}

export const untilTold = ({ parley }: Stage): Promise<void> => waitUntilDelivered(parley);

const sending =
  (parley: Server): Work =>
  async (count) => {
    const { final } = await readLedger(parley);
    await acceptMessages(parley, count);
    await waitForLedger(parley, (ledger) => ledger.final.read - final.read === count);
  };

const texting =
  ({ parley, database }: Stage): Work =>
  async (count) => {
    const since = new Date();
    await forEachOf(count, async (index) => {
      const to = `+44${String(index).padStart(recipientDigits.length, '0')}1234`;
      await call(parley, 'POST', '/v2/send-sms/', { from: sender, to, text });
    });
    await waitForStanding(database, since, ({ delivered }) => delivered >= count);
  };

/** Opens links of a hundred intros. */
async function clicking({ parley, database }: Stage): Promise<Work> {
  const links: string[] = [];
  for (let index = 0; index < 100; index++) {
    const { chat_link } = await call<{ chat_link: string }>(parley, 'POST', '/v2/chatapp/chat-intros/', {
      chatapp_number: message.chatapp_number,
      reference_id: `REF-${index}`,
      expected_message_template: 'Hello, I would like to know more about {{PropertyName}} ({{reference_id}}).',
      reply_message_template: 'Thank you for asking about {{PropertyName}}.',
      intro_message_template: 'Hello, about {{PropertyName}}.',
      extra_variable_data: { PropertyName: '12 Mill Lane' },
    });
    links.push(`${parley.url}/${chat_link.replace('../', '')}`);
  }
  const countClicks = async (): Promise<number> => {
    const { rows } = await database.client.query(
      "select count(*)::int as clicks from events where kind = 'chat_intro.clicked'",
    );
    return rows[0].clicks;
  };
  return async (count) => {
    const before = await countClicks();
    await forEachOf(count, async (index) => {
      const answer = await fetch(links[index % links.length]!, {
        redirect: 'manual',
        headers: { 'user-agent': userAgent },
      });
      if (answer.status !== 302) throw new Error(`A link answers ${answer.status}`);
      await answer.text();
    });
    while ((await countClicks()) - before < count) await sleep(50);
  };
}

/** Calls that SIPp makes to a number, forwarded to another SIPp, a second each; undefined where there is no SIPp. */
async function dialling(
  scope: AsyncDisposableStack,
  parley: Server,
  number: string,
  cwd: string,
): Promise<Work | undefined> {
  const uas = startChild(scope, ['sipp', '-sn', 'uas', '-i', callee, '-p', String(calleePort), '-nostdin'], { cwd });
  await Promise.race([uas.exited.catch(() => {}), sleep(2_000)]);
  if (hasEnded(uas)) return undefined;
  const trunk = { name: 'SIPp', host: callee, port: calleePort, allowed_addresses: ['127.0.0.0/8'] };
  await call(parley, 'POST', '/v2/sip-trunks/', trunk);
  await sleep(2_000);
  let port = callerPort;
  return async (count) => {
    const limits = ['-r', String(callsPerSecond), '-m', String(count), '-d', '1000', '-l', '5000'];
    const from = ['-i', caller, '-p', String(port++), '-s', number, `${ours}:${sipPort}`];
    const uac = startChild(scope, ['sipp', '-sn', 'uac', ...from, '-nostdin', ...limits], { cwd });
    await Promise.race([uac.exited, sleep((count / callsPerSecond) * 1000 + 60_000)]);
    if (!hasEnded(uac)) await endChild(uac);
  };
}
