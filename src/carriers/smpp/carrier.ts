import type { CarrierSms, OutboundSms, SmsOutcome } from '../port.sms.ts';
import { type Carrier, CarrierRefusal } from '../port.ts';
import { type LinksDeps, makeLinks } from './carrier-links.ts';
import { reportOf } from './carrier-report.ts';
import { submit, type Way } from './carrier-submit.ts';

/** Carriers' SMS centres over SMPP 3.4. It carries SMS and nothing else. */
export function makeSmpp(deps: LinksDeps): Carrier {
  const links = makeLinks(deps);
  return {
    name: 'smpp',
    adoptsUnknown: false,
    enforcesWindow: false,
    pairRate: null,
    senderSettings: { ids: [], secrets: [] },
    templates: { list: noChat, create: noChat, update: noChat, delete: noChat },
    flows: { list: noChat, create: noChat, update: noChat, publish: noChat, deprecate: noChat, preview: noChat },
    media: { upload: noChat, uploadSample: noChat, download: noChat },
    sms: makeSms(links, deps),
    chatLink() {
      throw new Error('SMS have no chat link.');
    },
    clock: () => deps.clock,
    send: async (_sender, messages) =>
      messages.map(() => ({ kind: 'rejected', code: 'no_chat', description: 'This carrier takes SMS only.' })),
    find: async (_accountId, uuids) => new Map(uuids.map((uuid) => [uuid, 'absent'])),
    interpret() {
      throw new Error('SMS come over links, not as payloads.');
    },
    numberRanges: () => [],
    start: async () => {},
    stop: () => links.stop(),
    // A link that is down is its owner's trouble (network status), and no reason to take this process out of service.
    problem: async () => null,
  };
}

const noChat = async (): Promise<never> => {
  throw new CarrierRefusal('no_chat', 'This carrier takes SMS only.');
};

function makeSms(links: ReturnType<typeof makeLinks>, { clock, log }: LinksDeps): CarrierSms {
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
      const way = { ...held, clock };
      return Promise.all(messages.map((message) => sendOne(way, message)));
    },
    // query_sm asks by the centre's id, which is the very thing that was lost.
    find: async () => new Map(),
    report: ({ uuid }) => reportOf(links.get(uuid)?.link.snapshot(), clock.now()),
  };
}
