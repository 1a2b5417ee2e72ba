import type { Carrier } from '../ports/carriers.ts';
import type { CarrierSms, OutboundSms, SmsOutcome } from '../ports/sms.ts';
import { type LinksDeps, makeLinks } from './links/links.ts';
import { reportOf } from './links/report.ts';
import { submit, type Way } from './messages/submit.ts';

/** Every link is a connection, and is to be opened before anything leaves by it. */
type HeldSms = CarrierSms & Required<Pick<CarrierSms, 'hold'>>;

/** Carriers' SMS centres over SMPP 3.4. A link that is down is its owner's trouble (network status), and none of this process. */
export function makeSmpp(deps: LinksDeps): Carrier & { sms: HeldSms; stop(): Promise<void> } {
  const links = makeLinks(deps);
  return {
    name: 'smpp',
    adoptsUnknown: false,
    clock: () => deps.clock,
    sms: makeSms(links, deps),
    stop: () => links.stop(),
  };
}

function makeSms(links: ReturnType<typeof makeLinks>, { clock, log, onRequest }: LinksDeps): HeldSms {
  async function sendOne(way: Way, message: OutboundSms): Promise<SmsOutcome> {
    try {
      return await submit(way, message);
    } catch (error) {
      log.error({ err: error, sms: message.uuid }, 'A message could not be handed over');
      return { kind: 'unknown', description: 'The hand-over failed.', parts: [] };
    }
  }
  return {
    hold: links.hold,
    isUp: ({ uuid }) => links.isUp(uuid),
    room: ({ uuid }) => links.room(uuid),
    async send({ uuid }, messages) {
      const held = links.get(uuid);
      if (!held) return messages.map(() => ({ kind: 'retry', description: 'The link is not open here.', parts: [] }));
      const way = { ...held, clock, onRequest };
      return Promise.all(messages.map((message) => sendOne(way, message)));
    },
    // query_sm asks by the centre's id, which is the very thing that was lost.
    find: async () => new Map(),
    report: ({ uuid }) => reportOf(links.get(uuid)?.link.snapshot(), clock.now()),
  };
}
