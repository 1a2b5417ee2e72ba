import type { Figure, Run } from '../figures.ts';
import { acceptMessages } from '../kit/accept.ts';
import { message, recipientDigits } from '../kit/message.ts';
import { createWebhook, ratePerSecond, startReceivers, waitUntilHeard } from '../kit/receivers.ts';
import { call, makeDataDirectory, startParley } from '../kit/server.ts';

const target = 0.9;
const warmUp = 50;
/** Its messages are SENT and never anything more: each is one event, which makes the deliveries countable. */
const recipient = `+44${recipientDigits}9002`;

/**
 * Webhook deliveries to ten receivers that listen to the same account, and to nine of them while the tenth takes everything and
 * never answers. Messages of the sandbox make the events, and wait until the sender is resumed so that they make them quickly.
 */
export async function webhooks({ scope, quick, progress }: Run): Promise<Figure[]> {
  const messages = quick ? 150 : 1_000;
  const receivers = await startReceivers(scope);
  const parley = await startParley(scope, {
    dataDirectory: await makeDataDirectory(scope),
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true' },
  });
  const { uuid } = await call<{ uuid: string }>(parley, 'POST', '/v2/chatapp/accounts/', {
    chatapp_number: message.chatapp_number,
    messages_per_second: 100_000,
  });
  for (const url of receivers.urls) await createWebhook(parley, url);
  const last = receivers.urls.length - 1;
  const isOther = (index: number): boolean => index !== last;
  const makeEvents = async (count: number): Promise<void> => {
    await call(parley, 'POST', `/v2/chatapp/accounts/${uuid}/pause/`);
    await acceptMessages(parley, count, recipient);
    await call(parley, 'POST', `/v2/chatapp/accounts/${uuid}/resume/`);
  };

  await makeEvents(warmUp);
  await waitUntilHeard(receivers, warmUp * receivers.urls.length);

  await receivers.reset();
  await makeEvents(messages);
  const all = await waitUntilHeard(receivers, messages * receivers.urls.length);
  const figure = ratePerSecond(all);
  const reference = ratePerSecond(all.filter((_, index) => isOther(index)));
  progress(`${all.length} receivers: ${Math.round(figure)} deliveries/s`);

  await receivers.reset(last);
  await makeEvents(messages);
  const others = ratePerSecond(await waitUntilHeard(receivers, messages * last, isOther));
  const stuck = (await receivers.read())[last]!.count;
  progress(`${last} receivers, one more hangs: ${Math.round(others)} deliveries/s`);
  if (stuck === 0) throw new Error('Nothing was sent to the receiver that hangs');

  return [
    {
      row: 'webhooks',
      what: `deliveries to ${all.length} receivers, ROLES=all`,
      figure,
      unit: 'deliveries/s',
      details: { deliveries: messages * all.length },
    },
    {
      row: 'webhooks',
      what: `deliveries to ${last} of them while the other hangs`,
      figure: others,
      unit: 'deliveries/s',
      reference: { what: `the same ${last} while none hangs`, figure: reference },
      ratio: others / reference,
      target: `ratio ≥ ${target}`,
      met: others / reference >= target,
      details: { 'requests that hang': stuck },
    },
  ];
}
