import type { SmsEvent } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import { describe, type Move, tallyOf } from '../../outbox/index.ts';
import { addTallies, type TallyStep } from '../../tallies/index.ts';
import { appendEvents, type NewEvent } from '../../timeline/index.ts';
import { addressKey } from '../addresses.ts';
import { stepSms, tellSteps } from '../deliver/move.ts';
import { deliverSingles } from '../deliver/settle-queries.ts';
import { outbox } from '../deliver/states.ts';
import {
  type EarlyReceipt,
  findByCarrierIds,
  findNamedAnyAccount,
  findOverlookedAnyAccount,
  findPartLinks,
  insertParts,
  type KnownPart,
  keepEarly,
  markParts,
  placeUnclaimedAnyAccount,
  readProgress,
  takeEarly,
} from './part-queries.ts';

export type Receipt = Extract<SmsEvent, { kind: 'receipt' }>;

/** Where receipts come from. */
export interface Origin {
  accountId: string;
  uuid: string;
}

/** Applies what a link reports about parts. A report about an unknown part is kept until the part is known. */
export const applyReceipts = (deps: Deps, link: Origin, receipts: Receipt[]): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    if (receipts.length === 0) return;
    const counts: TallyStep[] = [];
    const linkOf = await learnParts(db, link, receipts);
    for (const [uuid, some] of Map.groupBy(receipts, linkOf)) {
      const rest = await placeSimple(deps, { ...link, uuid }, some.map(earlyOf), counts);
      counts.push(...(await place(deps, { ...link, uuid }, rest)));
    }
    await addTallies(db, counts);
  });

/**
 * Applies the usual receipts: the only receipt of an SMS of one part, which says that it is delivered. Answers the other receipts.
 */
async function placeSimple(
  deps: Deps,
  { accountId, uuid: link }: Origin,
  receipts: EarlyReceipt[],
  counts: TallyStep[],
): Promise<EarlyReceipt[]> {
  const only = new Map<string, EarlyReceipt | undefined>();
  for (const one of receipts) only.set(one.id, only.has(one.id) ? undefined : one);
  const said = receipts.filter((one) => one.status === 'DELIVERED' && only.get(one.id) === one);
  const sinceMs = exactMs();
  const delivered = await deliverSingles(deps.db, accountId, link, said);
  const steps = delivered.map(({ uuid, has_callback }) => ({
    accountId,
    uuid,
    hasCallback: has_callback,
    left: false,
  }));
  await tellSteps(deps.db, deps, steps);
  deps.observer.steps(
    'sms',
    delivered.map(({ uuid }) => ({ uuid, status: 'DELIVERED', source: 'receipt' })),
    sinceMs,
  );
  for (const { campaign_log } of delivered)
    counts.push(...tallyOf(campaign_log, 'SENT', { accountId, status: 'DELIVERED' }));
  const done = new Set(delivered.map(({ carrier_id }) => only.get(carrier_id)));
  return receipts.filter((one) => !done.has(one));
}

/**
 * A receipt that names our SMS may bring the id of a part whose answer was lost, and may come by another link than the part left
 * by. Stores such ids; answers, for each receipt, the link of its part.
 */
async function learnParts(db: Db, { accountId, uuid }: Origin, receipts: Receipt[]): Promise<(one: Receipt) => string> {
  const naming = receipts.flatMap(({ id, about }) =>
    about && 'uuid' in about ? [{ accountId, uuid: about.uuid, sms: about.uuid, part: about.part, id }] : [],
  );
  if (naming.length === 0) return () => uuid;
  const states = await outbox.lockStates(db, naming);
  const lost = new Set(states.filter(isLost).map((state) => state.uuid));
  await insertParts(
    db,
    accountId,
    uuid,
    naming.filter(({ sms }) => lost.has(sms)),
  );
  const links = await findPartLinks(
    db,
    accountId,
    naming.map(({ sms }) => sms),
  );
  return ({ about }) => (about && 'uuid' in about ? links.get(`${about.uuid} ${about.part}`) : undefined) ?? uuid;
}

/** Whether the answer to its hand-over never came. */
const isLost = ({ status, due_at }: { status: string; due_at: string }): boolean =>
  status === 'QUEUED' && due_at === 'infinity';

const earlyOf = ({ id, status, code, description, about, at }: Receipt): EarlyReceipt => {
  const between = about && 'from' in about ? about : undefined;
  const named = about && 'uuid' in about ? about : undefined;
  return {
    id,
    status,
    code: code ?? null,
    description: description ?? null,
    at: at.toISOString(),
    fromDigits: between ? addressKey(between.from) : null,
    toDigits: between ? addressKey(between.to) : null,
    sms: named?.uuid ?? null,
    part: named?.part ?? null,
  };
};

/** Applies receipts, in a transaction, to the parts that are known, and keeps the others; answers what is to be counted. */
export async function place(deps: Deps, link: Origin, receipts: EarlyReceipt[]): Promise<TallyStep[]> {
  const { db } = deps;
  if (receipts.length === 0) return [];
  const { accountId } = link;
  const ids = [...new Set(receipts.map(({ id }) => id))];
  const found = await findByCarrierIds(db, accountId, link.uuid, ids);
  await keepEarly(
    db,
    accountId,
    link.uuid,
    receipts.filter(({ id }) => !found.has(id)),
  );
  if (found.size === 0) return [];
  // The SMS are locked before their parts are read again: two receipts for parts of one SMS must see each other.
  const uuids = [...new Set([...found.values()].map(({ sms }) => sms))];
  const states = await outbox.lockStates(
    db,
    uuids.map((uuid) => ({ accountId, uuid })),
  );
  // Parts that were stored since then belong to SMS that are not locked here, and are left out.
  const parts = await findByCarrierIds(db, accountId, link.uuid, [...found.keys()]);
  const weighed = weigh(
    receipts.filter(({ id }) => parts.has(id)),
    parts,
  );
  await markParts(
    db,
    accountId,
    weighed.filter(({ applied }) => applied).map(({ part, receipt }) => ({ ...part, status: receipt.status })),
  );
  const open = states.filter(({ status }) => status === 'QUEUED' || status === 'SENT');
  const steps = await findSteps(db, accountId, open, weighed);
  await appendEvents(db, eventsOf(accountId, weighed, steps));
  return stepSms(deps, steps);
}

interface Weighed {
  receipt: EarlyReceipt;
  part: KnownPart;
  /** false: it came late or twice, or says no more than is known. */
  applied: boolean;
}

function weigh(receipts: EarlyReceipt[], parts: ReadonlyMap<string, KnownPart>): Weighed[] {
  const now = new Map([...parts].map(([id, { status }]) => [id, status]));
  return receipts.map((receipt) => {
    const applied = now.get(receipt.id) === 'SENT' && receipt.status !== 'SENT';
    if (applied) now.set(receipt.id, receipt.status);
    return { receipt, part: parts.get(receipt.id)!, applied };
  });
}

/** The steps that the SMS take, given where their parts stand now. */
async function findSteps(
  db: Db,
  accountId: string,
  states: { uuid: string; status: string; due_at: string }[],
  weighed: Weighed[],
): Promise<Move[]> {
  const progress = await readProgress(
    db,
    accountId,
    states.map(({ uuid }) => uuid),
  );
  const lost = new Set(states.filter(isLost).map(({ uuid }) => uuid));
  return progress.flatMap(({ uuid, segments, taken, delivered }): Move[] => {
    const mine = weighed.filter(({ part, applied }) => applied && part.sms === uuid);
    const failure = mine.find(({ receipt }) => receipt.status === 'FAILED')?.receipt;
    const data = { carrier_at: (failure ?? mine.at(-1)?.receipt)?.at };
    if (failure) {
      const failureCode = failure.code ?? undefined;
      return [{ accountId, uuid, status: 'FAILED', description: whyNot(failure), failureCode, data }];
    }
    if (delivered === segments) return [{ accountId, uuid, status: 'DELIVERED', description: '', data }];
    // The answer never came, but by their receipts all parts were taken.
    return taken === segments && lost.has(uuid) ? [{ accountId, uuid, status: 'SENT', description: '' }] : [];
  });
}

const whyNot = ({ code, description }: EarlyReceipt): string =>
  describe({ ...(code && { code }), description: description || 'It was not delivered.' });

/** Events of receipts that change no status: those of single parts, and those that came late or twice. */
function eventsOf(accountId: string, weighed: Weighed[], steps: Move[]): NewEvent[] {
  const stepping = new Set(
    steps.map(({ uuid }) => weighed.findLast(({ part, applied }) => applied && part.sms === uuid)),
  );
  return weighed
    .filter((one) => !stepping.has(one))
    .map(({ receipt, part, applied }) => {
      const { status, code, description, at } = receipt;
      const data = { part: part.part, receipt: status, code, description, applied, carrier_at: at };
      return { accountId, subjectType: 'sms', subject: part.sms, kind: 'sms.receipt', data };
    });
}

/** Applies receipts that came before the ids of their parts were known, in the transaction that stored these. */
export const applyEarly = async (deps: Deps, link: Origin, ids: string[]): Promise<TallyStep[]> =>
  place(deps, link, await takeEarly(deps.db, link.accountId, link.uuid, ids));

/** Looks through receipts that were kept: their SMS may have been stored since, or its answer was lost. */
export async function placeLate(deps: Deps): Promise<void> {
  const overlooked = await findOverlookedAnyAccount(deps.db);
  const placed = [...(await findNamedAnyAccount(deps.db)), ...(await placeUnclaimedAnyAccount(deps.db))];
  const byLink = Map.groupBy([...overlooked, ...placed], ({ account_id, link }) => `${account_id} ${link}`);
  for (const some of byLink.values()) {
    const { account_id: accountId, link: uuid } = some[0]!;
    await within(deps, async (deps) => {
      const { db } = deps;
      const lost = some.flatMap((one) => ('sms' in one ? [one as (typeof placed)[number]] : []));
      await insertParts(db, accountId, uuid, lost);
      const ids = some.map(({ id }) => id);
      await addTallies(db, await applyEarly(deps, { accountId, uuid }, ids));
    });
  }
}
