import assert from 'node:assert/strict';
import { makeCarriers } from '../../../src/carriers/ports/carriers.ts';
import type {
  CarrierSms,
  OutboundSms,
  SmsEvent,
  SmsInbox,
  SmsLink,
  SmsOutcome,
} from '../../../src/carriers/ports/sms.ts';
import type { Deps } from '../../../src/deps.ts';
import { startSmsDelivery } from '../../../src/domains/sms/deliver/start-delivery.ts';
import { receiveSms } from '../../../src/domains/sms/receive/receive.ts';
import { eventsOf } from '../../../src/domains/timeline/index.ts';
import { newId } from '../../../src/platform/ids.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { until } from '../until.ts';

/** The other side of a link, which does what a test says and remembers what it got. */
export interface Peer {
  /** Every part that came, as `uuid part`, in order. */
  got: { link: string; uuid: string; part: number; text: string; from: string; to: string }[];
  /** How the hand-over of a message ends; its parts are those that are said to be taken. */
  answer(message: OutboundSms, take: (parts?: number[]) => SmsOutcome, link: SmsLink): SmsOutcome | Promise<SmsOutcome>;
  isUp: boolean;
  /** The links that it is to keep open. */
  open: SmsLink[];
  inbox: SmsInbox | undefined;
  sms: CarrierSms;
}

export const idOf = (uuid: string, part: number): string => `${uuid}/${part}`;

function makePeer(): Peer {
  const peer: Peer = {
    got: [],
    answer: (_message, take) => take(),
    isUp: true,
    open: [],
    inbox: undefined,
    sms: {
      async keepOpen(links, inbox) {
        peer.open = links;
        peer.inbox = inbox;
      },
      isUp: () => peer.isUp,
      room: () => (peer.isUp ? 1000 : 0),
      send: (link, messages) => Promise.all(messages.map((message) => hear(peer, link, message))),
      find: async () => new Map(),
      report: () => ({
        state: peer.isUp ? 'UP' : 'DOWN',
        since: new Date('2026-01-01T00:00:00Z'),
        sent: peer.got.length,
        failed: 0,
        latencyMs: { p50: 1, p99: 2 },
        lastError: null,
      }),
    },
  };
  return peer;
}

async function hear(peer: Peer, link: SmsLink, message: OutboundSms): Promise<SmsOutcome> {
  const { uuid, segments, partsTaken, from, to } = message;
  const missing = segments.map((_, index) => index + 1).filter((part) => !partsTaken.has(part));
  const take = (parts = missing): SmsOutcome => {
    for (const part of parts) peer.got.push({ link: link.uuid, uuid, part, text: segments[part - 1]!, from, to });
    return { kind: 'accepted', parts: parts.map((part) => ({ part, id: idOf(uuid, part) })) };
  };
  return peer.answer(message, take, link);
}

/** The part of a test's application that delivery needs. */
interface Api {
  deps: Deps;
  accountId: string;
  call(
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    url: string,
    body?: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes
  ): Promise<{ status: number; body: any }>;
}

/** An account with a link to a peer, and delivery in this process. The application runs no worker of its own. */
export async function startStage(app: Api, peer: Peer = makePeer()) {
  const carrier = { name: 'peer', adoptsUnknown: false, clock: () => systemClock, sms: peer.sms };
  // In place: requests have dependencies of their own, with the same carriers.
  Object.assign(app.deps.carriers, makeCarriers([...app.deps.carriers.all(), carrier]));
  const addLink = async (
    name: string,
    more: object = {},
  ): Promise<{ accountId: string; uuid: string; carrier: string }> => {
    const link = { account_id: app.accountId, uuid: newId(), name, carrier: 'peer', messages_per_second: 100_000 };
    await app.deps.db
      .insertInto('sms_links')
      .values({ ...link, rate_tokens: 1000, ...more })
      .execute();
    app.deps.caches.forget();
    return { accountId: app.accountId, uuid: link.uuid, carrier: link.carrier };
  };
  const link = await addLink('first');
  await app.deps.db
    .insertInto('sms_senders')
    .values({ account_id: app.accountId, uuid: newId(), sender: 'Parley', status: 'APPROVED' })
    .execute();
  const delivery = startSmsDelivery(app.deps);
  /** Says whether anything may leave; a claim that is under way when this returns takes nothing either. */
  const setOpen = async (isOpen: boolean): Promise<void> => {
    await app.deps.db.updateTable('sms_links').set({ enabled: isOpen }).where('carrier', '=', 'peer').execute();
    app.deps.caches.forget();
    peer.isUp = isOpen;
  };
  const record = async (uuid: string) => (await app.call('GET', `/v2/send-sms/${uuid}/`)).body;
  return {
    peer,
    link,
    addLink,
    setOpen,
    record,
    async send(text: string, more: object = {}): Promise<string> {
      const body = { from: 'Parley', to: '+447700900123', text, ...more };
      const answer = await app.call('POST', '/v2/send-sms/', body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.uuid;
    },
    becomes: (uuid: string, status: string) =>
      until(
        () => record(uuid),
        (one) => one.status === status,
      ),
    receive: (events: SmsEvent[], from = link) => receiveSms(app.deps, from, events),
    /** The kinds of events of an SMS, in order; those that changed nothing in brackets. */
    async story(uuid: string): Promise<string[]> {
      const events = await eventsOf(app.deps.db, app.accountId, uuid).orderBy('uuid').execute();
      return events.map(({ kind, data }) => ((data as { applied?: boolean }).applied === false ? `(${kind})` : kind));
    },
    stop: () => delivery.stop(),
  };
}
export type Stage = Awaited<ReturnType<typeof startStage>>;

export const receipt = (
  id: string,
  status: 'SENT' | 'DELIVERED' | 'FAILED',
  more: Partial<Extract<SmsEvent, { kind: 'receipt' }>> = {},
): SmsEvent => ({ kind: 'receipt', id, status, at: new Date(), ...more });
