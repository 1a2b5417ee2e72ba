import type { SmsEvent } from '../../../carriers/ports/sms.ts';
import type { Deps, Task } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import { countryOf } from '../../accounts/index.ts';
import { countTraffic, findOwnNumbers, type OwnNumber } from '../../numbers/index.ts';
import { announce } from '../../webhooks/index.ts';
import { addressKey, isClear } from '../addresses.ts';
import { findCarrierLink } from '../links/links.ts';
import type { SmsRow } from '../queries.ts';
import { presentSms } from '../schemas.ts';
import {
  type IncompletePart,
  insertReceived,
  noteFingerprints,
  purgeInboundAnyAccount,
  reserveIds,
  takeIncompleteAnyAccount,
} from './inbound-queries.ts';
import { incompleteOf, joinParts, type Written, type WrittenSms } from './join.ts';
import { heedTexts } from './keywords.ts';
import { purgeEarlyAnyAccount } from './part-queries.ts';
import { applyReceipts, type Origin, type Receipt } from './receipts.ts';

/** The link that texts come by. */
export interface Source extends Origin {
  /** null: the link was deleted, and only what came by it is left. */
  carrier: string | null;
}

/** A text that a person wrote, stored. */
export interface Received {
  row: SmsRow;
  at: Date;
  /** The launch of a campaign that it answers. */
  campaignLog: string | null;
  /** It was STOP or its like, and was dealt with. */
  isKeyword: boolean;
}

/**
 * What domains on higher floors do with texts that people write; whoever starts links passes it in. Both functions are called in
 * the transaction that stores the texts.
 */
export interface SmsHooks {
  /** Which launches of campaigns people answer, in their order; undefined: none. */
  findLaunches(
    db: Db,
    people: { accountId: string; sender: string; digits: string }[],
  ): Promise<(string | undefined)[]>;
  /** Called last: it may add to counts, which others then wait for until the transaction ends. */
  onReceived(deps: Deps, accountId: string, received: Received[]): Promise<void>;
}

/**
 * Stores what came over a link, in one transaction; answers what the API shows of the messages that are new and whole. The
 * link's id makes each message one, however often it comes.
 */
export const receiveSms = (
  deps: Deps,
  link: Source,
  events: SmsEvent[],
  hooks: Partial<SmsHooks> = {},
): Promise<object[]> =>
  within(deps, async (deps) => {
    const messages = await findNew(deps, link, events.filter(isMessage));
    const received = await storeWritten(deps, link, await joinParts(deps, link, messages), hooks);
    await applyReceipts(deps, link, events.filter(isReceipt));
    await hooks.onReceived?.(deps, link.accountId, received);
    return received.map(({ row }) => presentSms(row));
  });

/**
 * The same for a carrier that needs no connection: its link is found, or adopted where the carrier adopts. What people write is
 * taken only if an answer would leave by that carrier, too; receipts for SMS that left by it are always taken.
 */
export async function receiveCarrierSms(
  deps: Deps,
  accountId: string,
  carrier: string,
  events: SmsEvent[],
  hooks: Partial<SmsHooks> = {},
): Promise<object[]> {
  const found = await findCarrierLink(deps, accountId, carrier);
  if (!found) return [];
  return receiveSms(deps, found.link, found.isAnswered ? events : events.filter(isReceipt), hooks);
}

const isMessage = (event: SmsEvent): event is WrittenSms => event.kind === 'message';
const isReceipt = (event: SmsEvent): event is Receipt => event.kind === 'receipt';

async function findNew({ db }: Deps, link: Origin, messages: WrittenSms[]): Promise<WrittenSms[]> {
  const ids = messages.flatMap(({ id }) => (id === null ? [] : [id]));
  const fresh = await reserveIds(db, link.accountId, link.uuid, [...new Set(ids)]);
  const marks = messages.flatMap(({ mark }) => mark ?? []);
  const again = await noteFingerprints(db, link.accountId, link.uuid, marks);
  // Each id once: the same message may be twice among them.
  return messages.filter(({ id, mark }) =>
    id === null ? !(mark && again.delete(mark.fingerprint)) : fresh.delete(id),
  );
}

/** Stores texts, tells whoever listens, and does what they say about hearing from the account. */
async function storeWritten(
  deps: Deps,
  link: Source,
  written: Written[],
  { findLaunches = async () => [] }: Partial<SmsHooks> = {},
): Promise<Received[]> {
  if (written.length === 0) return [];
  const { accountId } = link;
  const sinceMs = exactMs();
  const key = await keyReader(deps, accountId, written);
  const numberOf = await findOwnNumbers(
    deps.db,
    written.map(({ to }) => ({ accountId, digits: key(to) })),
  );
  const people = written.map(({ from, to }) => ({ accountId, sender: key(to), digits: key(from) }));
  const launches = await findLaunches(deps.db, people);
  const batch = written.map((sms, index) => ({
    ...receivedSms(sms, key, numberOf(accountId, key(sms.to))),
    campaign_log: launches[index] ?? null,
  }));
  const moment = await insertReceived(deps.db, accountId, link.uuid, batch);
  const received = batch.map(({ note, ...sms }, index) => ({
    row: rowOf(sms, note, moment),
    at: written[index]!.at,
    campaignLog: sms.campaign_log,
  }));
  await countTraffic(
    deps.db,
    batch
      .filter(({ to_digits }) => numberOf(accountId, to_digits))
      .map(({ to_digits: digits }) => ({ accountId, digits, kind: 'SMS_IN', at: deps.clock.now() })),
  );
  await announce(
    deps.db,
    deps,
    received.map(({ row }) => ({
      accountId,
      type: 'sms.received' as const,
      data: presentSms(row),
      numberWebhooks: numberOf(accountId, key(row.to_number))?.webhooks ?? [],
    })),
  );
  deps.observer.steps(
    'sms',
    received.map(({ row }) => row),
    sinceMs,
  );
  const heeded = await heedTexts(deps, link, received);
  return received.map((one) => ({ ...one, isKeyword: heeded.has(one) }));
}

/**
 * Makes the function that reads addresses: some links write numbers of their own country in the national form, and an answer must
 * go to the same digits.
 */
async function keyReader(deps: Deps, accountId: string, written: Written[]): Promise<(address: string) => string> {
  const isAllClear = written.every(({ from, to }) => isClear(from) && isClear(to));
  const country = isAllClear ? undefined : await countryOf(deps, accountId);
  return (address) => addressKey(address, country);
}

function receivedSms(
  { from, to, isIncomplete, at: _at, ...sms }: Written,
  key: (address: string) => string,
  number: OwnNumber | undefined,
) {
  const notes = [
    number ? '' : 'It came for a number that the account does not have.',
    isIncomplete ? 'Some of its parts never came.' : '',
  ];
  return {
    ...sms,
    from_number: from,
    to_number: to,
    from_digits: key(from),
    to_digits: key(to),
    keyword: keywordIn(sms.text, number),
    note: notes.filter((note) => note !== '').join(' '),
  };
}

/** The keyword of a number that a text begins with, as the number has it. */
function keywordIn(text: string, number: OwnNumber | undefined): string | null {
  if (!number?.features.includes('KEYWORDS')) return null;
  const [word = ''] = text.trim().split(/\s+/, 1);
  return number.keywords.find((keyword) => keyword.toLowerCase() === word.toLowerCase()) ?? null;
}

const rowOf = (
  sms: Omit<SmsRow, 'direction' | 'status' | 'status_description' | 'meta_data' | 'created' | 'modified'>,
  note: string,
  moment: string,
): SmsRow => ({
  ...sms,
  direction: 'INBOUND',
  status: 'RECEIVED',
  status_description: note,
  meta_data: {},
  created: moment,
  modified: moment,
});

const mostAtOnce = 500;

export const tasks: Task[] = [
  {
    name: 'sms.tidy',
    batchSize: 1,
    cron: '27 * * * *',
    async handler(deps) {
      await storeIncomplete(deps);
      await purgeInboundAnyAccount(deps.db);
      await purgeEarlyAnyAccount(deps.db);
    },
  },
];

/** Stores long messages of which parts are still missing after a day as what there is of them. */
const storeIncomplete = (deps: Deps): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const incomplete = Map.groupBy(await takeIncompleteAnyAccount(db, mostAtOnce), keyOf);
    for (const parts of incomplete.values()) {
      const { account_id: accountId, link: uuid } = parts[0]!;
      await storeWritten(deps, { accountId, uuid, carrier: null }, [incompleteOf(parts)]);
    }
  });

const keyOf = ({ account_id, link, fromDigits, toDigits, reference, total }: IncompletePart): string =>
  JSON.stringify([account_id, link, fromDigits, toDigits, reference, total]);
