import type { Carrier } from '../ports/carriers.ts';
import type { CarrierSms, OutboundSms, SmsLinkReport, SmsOutcome } from '../ports/sms.ts';
import type { LinkSnapshot } from './links/link.ts';
import { type LinksDeps, makeLinks } from './links/links.ts';
import { submit, type Way } from './messages/submit.ts';

/** Every link is a connection, and is to be opened before anything leaves by it. */
type ConnectedSms = CarrierSms & Required<Pick<CarrierSms, 'keepOpen'>>;

/** Carriers' SMS centres over SMPP 3.4. A link that is down is its owner's trouble (network status), and none of this process. */
export function makeSmpp(deps: LinksDeps): Carrier & { sms: ConnectedSms; stop(): Promise<void> } {
  const links = makeLinks(deps);
  return {
    name: 'smpp',
    adoptsUnknown: false,
    clock: () => deps.clock,
    sms: makeSms(links, deps),
    stop: () => links.stop(),
  };
}

function makeSms(links: ReturnType<typeof makeLinks>, { clock, log, onRequest }: LinksDeps): ConnectedSms {
  async function sendOne(way: Way, message: OutboundSms): Promise<SmsOutcome> {
    try {
      return await submit(way, message);
    } catch (error) {
      log.error({ err: error, sms: message.uuid }, 'A message could not be handed over');
      return { kind: 'unknown', description: 'The hand-over failed.', parts: [] };
    }
  }
  return {
    keepOpen: links.keepOpen,
    isUp: ({ uuid }) => links.isUp(uuid),
    room: ({ uuid }) => links.room(uuid),
    async send({ uuid }, messages) {
      const open = links.get(uuid);
      if (!open) return messages.map(() => ({ kind: 'retry', description: 'The link is not open here.', parts: [] }));
      const way = { ...open, clock, onRequest };
      return Promise.all(messages.map((message) => sendOne(way, message)));
    },
    // query_sm asks by the centre's id, which is the very thing that was lost.
    find: async () => new Map(),
    report: ({ uuid }) => reportOf(links.get(uuid)?.link.snapshot(), clock.now()),
  };
}

/** What network status shows of a link. A link that another process has is reported as down. */
function reportOf(snapshot: LinkSnapshot | undefined, now: Date): SmsLinkReport {
  if (!snapshot) {
    return { state: 'DOWN', since: now, sent: 0, failed: 0, latencyMs: { p50: null, p99: null }, lastError: null };
  }
  const { sent, failed } = snapshot.lastFiveMinutes;
  return {
    state: stateOf(snapshot),
    since: snapshot.since,
    sent,
    failed,
    latencyMs: snapshot.latencyMs ?? { p50: null, p99: null },
    lastError: snapshot.lastError?.message ?? null,
  };
}

/** Down: an attempt has failed since it was last up, and the next one is waited for. */
function stateOf({ state, binds }: LinkSnapshot): SmsLinkReport['state'] {
  if (state === 'stopped') return 'DOWN';
  if (binds.some(({ mode, state }) => mode !== 'receiver' && state === 'bound')) return 'UP';
  return binds.some(({ state }) => state === 'waiting') ? 'DOWN' : 'CONNECTING';
}
