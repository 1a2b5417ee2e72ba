import type { InboundEvent, Inbox } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { phoneReader } from '../accounts/index.ts';
import { countReplies, findLaunchesOf } from '../campaigns/index.ts';
import { findSenderAnyAccount } from '../chatapp-accounts/index.ts';
import { noticeInbound } from '../insights/index.ts';
import { applyReceipts, presentMessage, type Received } from '../messages/index.ts';
import { type ReceivedSms, receiveCarrierSms, type SmsHooks } from '../sms/index.ts';
import { announceCall } from '../voice/index.ts';
import { keepPayload } from './payloads.ts';
import { receiveEvents } from './receive.ts';
import { routeLater } from './route.ts';

/** The door by which carriers bring in what happens on their side. */
export const makeInbox = (deps: Deps): Inbox => ({
  receive: (accountId, carrier, events) => gatherEvents(deps, { accountId, carrier, events }),
  receipts: (receipts) => applyReceipts(deps, receipts),
  receiveSms: (accountId, carrier, events) => receiveCarrierSms(deps, accountId, carrier, events, smsHooks),
  receiveCall: (accountId, carrier, call) => announceCall(deps, accountId, carrier, call),
  keep: (payload) => keepPayload(deps, payload),
  findSender: (uuid, carrier) => findSenderAnyAccount(deps, uuid, carrier),
});

/** What a carrier brought for an account in one go. */
interface Delivery {
  accountId: string;
  carrier: string;
  events: InboundEvent[];
}

type Presented = ReturnType<typeof presentMessage>;

/** Receives events together with what else arrives at this moment for the same account; answers the new messages among them. */
const gatherEvents = (deps: Deps, delivery: Delivery): Promise<Presented[]> =>
  deps.batches.run('inbound.receive', delivery, async (deliveries) => {
    const results = new Map<Delivery, PromiseSettledResult<Presented[]>>();
    for (const group of groupsOf(deliveries)) await receiveGroup(deps, group, results);
    return deliveries.map((one) => results.get(one)!);
  });

function groupsOf(deliveries: Delivery[]): Delivery[][] {
  return [...Map.groupBy(deliveries, ({ accountId, carrier }) => `${accountId} ${carrier}`).values()];
}

async function receiveGroup(
  deps: Deps,
  group: Delivery[],
  results: Map<Delivery, PromiseSettledResult<Presented[]>>,
): Promise<void> {
  const { accountId, carrier } = group[0]!;
  try {
    const events = group.flatMap((delivery) => delivery.events);
    const received = await receiveEvents(deps, accountId, carrier, events);
    for (const delivery of group) results.set(delivery, { status: 'fulfilled', value: newOf(delivery, received) });
  } catch (reason) {
    // What cannot be received must not take its company with it.
    if (group.length === 1) results.set(group[0]!, { status: 'rejected', reason });
    else for (const delivery of group) await receiveGroup(deps, [delivery], results);
  }
}

function newOf({ events }: Delivery, received: Received[]): Presented[] {
  const own = new Set<unknown>(events);
  return received.filter(({ message }) => own.has(message)).map(({ row }) => presentMessage(row));
}

/** What happens with texts that people write, beyond storing them. */
export const smsHooks: SmsHooks = {
  async findLaunches(db, people) {
    const writers = people.map((person) => ({ ...person, channel: 'SMS' as const }));
    const launches = await findLaunchesOf(db, writers);
    return writers.map((writer) => launches.get(writer));
  },
  async onReceived(deps, accountId, received) {
    const others = received.filter(({ isKeyword }) => !isKeyword);
    const read = await phoneReader(deps, accountId);
    await noticeInbound(
      deps,
      accountId,
      'SMS',
      others.map((one) => heardOf(one, read)),
    );
    await routeLater(
      deps,
      accountId,
      'SMS',
      others.map(({ row }) => row.uuid),
    );
    await countReplies(
      deps.db,
      received.flatMap(({ campaignLog, row }) =>
        campaignLog === null ? [] : [{ accountId, campaignLog, digits: read(row.from_number) }],
      ),
    );
  },
};

const heardOf = ({ row }: ReceivedSms, read: (number: string) => string) => ({
  uuid: row.uuid,
  number: row.to_number,
  person: row.from_number,
  numberDigits: read(row.to_number),
  personDigits: read(row.from_number),
  text: row.text,
  at: row.created,
  // A name cannot be written to.
  wantsAnswer: !/\p{L}/u.test(row.from_number),
});
