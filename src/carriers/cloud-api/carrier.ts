import type { Log } from '../../platform/log.ts';
import { isUserId, phoneDigits } from '../../platform/phone.ts';
import { type Clock, exactMs } from '../../platform/time/clock.ts';
import type { CarrierWith, OnRequest } from '../ports/carriers.ts';
import type { OutboundMessage, Outcome, Sender } from '../ports/chat.ts';
import { ask, segment } from './graph/ask.ts';
import { type Graph, makeGraph, NoAnswer } from './graph/client.ts';
import { interpret } from './interpret/interpret.ts';
import { makeFlows } from './manage/flows.ts';
import { makeMedia } from './manage/media.ts';
import { makeTemplates } from './manage/templates.ts';
import { payloadOf, Unsendable } from './payload.ts';
import { makePauses, outcomeOf, type Pauses, sendAll, unanswered } from './send.ts';

export interface CloudApiDeps {
  config: { url: string; version: string; timeoutMs: number };
  clock: Clock;
  log: Log;
  /** Is told of each request that hands a message over, when it has ended. */
  onRequest?: OnRequest | undefined;
}

/** The chat-app platform's own HTTP interface. What it reports back comes in by `webhook.ts`. */
export function makeCloudApi({ config, clock, log, onRequest }: CloudApiDeps): CarrierWith<'chat'> {
  const graph = makeGraph({ ...config, log });
  const pauses = makePauses(clock);
  return {
    name: 'cloud-api',
    adoptsUnknown: false,
    clock: () => clock,
    chat: {
      enforcesWindow: true,
      pairRate: { everyMs: 6_000, burst: 45 },
      senderSettings: {
        ids: ['phone_number_id', 'business_account_id', 'app_id'],
        secrets: ['access_token', 'app_secret', 'verify_token'],
      },
      templates: makeTemplates(graph),
      flows: makeFlows(graph),
      media: makeMedia(graph, clock),
      // Nobody can be addressed by an id here; without a number the platform lets whoever opens the link pick a chat.
      chatLink: (number, text) => {
        const digits = isUserId(number) ? '' : phoneDigits(number);
        return `https://wa.me/${digits}${text && `?text=${encodeURIComponent(text)}`}`;
      },
      async send(sender, messages) {
        const outcomes = await sendAll(messages, (message) =>
          handOver({ graph, pauses, log, onRequest }, sender, message),
        );
        const slowed = outcomes.find((outcome) => outcome.kind === 'retry' && outcome.slowsSender);
        if (slowed) log.warn({ sender: sender.uuid, outcome: slowed }, 'The Cloud API holds a sender back');
        return outcomes;
      },
      async markRead(sender, message_id) {
        const path = `${segment(sender.settings.phone_number_id)}/messages`;
        const body = { messaging_product: 'whatsapp', status: 'read', message_id };
        await ask(graph, sender, { method: 'POST', path, body });
      },
      // The platform has no way to ask; the receipt that carries our id tells.
      find: async (_accountId, uuids) => new Map(uuids.map((uuid) => [uuid, 'unknown'])),
      interpret,
    },
    stop: () => graph.close(),
  };
}

interface Means {
  graph: Graph;
  pauses: Pauses;
  log: Log;
  onRequest: OnRequest | undefined;
}

/** One message, and how that ended. Never throws. */
async function handOver(
  { graph, pauses, log, onRequest }: Means,
  sender: Sender,
  message: OutboundMessage,
): Promise<Outcome> {
  let payload: object;
  try {
    payload = payloadOf(message);
  } catch (error) {
    if (error instanceof Unsendable) return { kind: 'rejected', code: error.code, description: error.message };
    log.error({ err: error, message: message.uuid }, 'A message could not be written down for the Cloud API');
    return { kind: 'rejected', code: 'content_unreadable', description: 'The content of the message is not readable.' };
  }
  try {
    const path = `${encodeURIComponent(sender.settings.phone_number_id ?? '')}/messages`;
    const startMs = exactMs();
    const answer = await graph.call(sender, { method: 'POST', path, body: payload });
    const attributes = { 'http.request.method': 'POST', 'http.response.status_code': answer.status };
    onRequest?.({ uuid: message.uuid, name: 'POST /messages', startMs, attributes });
    const pauseMs = (askedMs: number | undefined) => pauses.lengthen(sender.uuid, askedMs);
    const outcome = outcomeOf(answer, { attempt: message.attempt, pauseMs });
    if (outcome.kind === 'accepted') pauses.reset(sender.uuid);
    return outcome;
  } catch (error) {
    if (error instanceof NoAnswer) return unanswered(error);
    log.error({ err: error, message: message.uuid }, 'A hand-over to the Cloud API broke down');
    return { kind: 'unknown', description: 'The hand-over broke down.' };
  }
}
