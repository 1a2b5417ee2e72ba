import type { Deps } from '../../../deps.ts';
import type { Allowance } from '../../../platform/db/rate.ts';
import { newId } from '../../../platform/ids.ts';
import { isInactive } from '../../accounts/index.ts';
import { priorities } from '../../outbox/index.ts';
import type { Batch } from '../deliver/hand-over.ts';
import type { Claimed, WaitingLink } from '../deliver/queue.ts';
import { forgetInHandAnyAccount, releaseInHandAnyAccount } from '../deliver/states.ts';
import { findCarrier, findOnlyLink } from '../links/links.ts';
import { spendAllowance } from '../links/queries.ts';
import { insertInHand, type QueuedSms } from './accept-queries.ts';

/**
 * The fast path: where an account's only link is up in this process and no SMS waits for it, the statement that accepts SMS also
 * gives them to this process. They wait in its memory until delivery takes them, and never enter the queue, which would cost as
 * much as everything else until they are sent. See decisions 15 and 18.
 */
export interface FastPath {
  /** The moment of acceptance; undefined: these have to go through the queue. */
  accept(deps: Deps, batch: QueuedSms[]): Promise<string | undefined>;
  /** Links that have some to take. */
  links(): WaitingLink[];
  /** Takes those that came first, and takes them off the link's rate. */
  take(link: WaitingLink, most: number): Promise<Batch | undefined>;
  /** The batches that this process has in hand. The carrier is asked about any other batch that the database says it has. */
  known(): string[];
  /** Forgets what has left, and puts those into the queue that were accepted although that seemed to fail. */
  sweep(): Promise<void>;
  /** From now on all SMS go through the queue; `last` hands over those that wait here, and those that are just being accepted. */
  close(last: (batch: Batch) => Promise<void>): Promise<void>;
}

/** SMS that were accepted together. */
interface WaitingBatch {
  uuid: string;
  waiting: Claimed[];
  /** How many have not ended yet. */
  open: number;
  /** Delivery gave some of them up without having stored their states. */
  isLost: boolean;
}

/** A link as the fast path uses it. */
interface FastLink {
  link: WaitingLink;
  waiting: WaitingBatch[];
  /** The parts of the SMS that wait, and of those that are just being accepted. */
  parts: number;
  /** The link's rate as it was last read; what leaves by the link leaves from this process. */
  allowance: Allowance;
  seenMs: number;
}

/** A rate that allows nothing is read again after this time. */
const lookAgainMs = 1000;
/** How long to look for a batch whose acceptance seemed to fail. */
const mendingMs = 30_000;
/** After its connection broke, a statement may still be running in PostgreSQL for this long. */
const lateMs = 5_000;

const placeOf = ({ running }: Deps) => running.of<FastPath>('sms fast path');

/** The fast path of this process, if it delivers. */
export const findFastPath = (deps: Deps): FastPath | undefined => placeOf(deps).get();

export function openFastPath(deps: Deps): FastPath {
  const byLink = new Map<string, FastLink>();
  const accepting = new Set<Promise<unknown>>();
  /** All batches that have a row in `sms_in_hand`, or may have one, until the row is gone or the carrier has to be asked. */
  const known = new Set<string>();
  /** Batches whose SMS all have their states: their rows can go. */
  const through = new Set<string>();
  /** Batches whose acceptance failed, and until when to look for them: the statement may have been committed all the same. */
  const lost = new Map<string, number>();
  const nowOf = ({ account_id, carrier }: WaitingLink): Date => deps.carriers.get(carrier).clock(account_id).now();

  const findFastLink = async (accountId: string, parts: number): Promise<FastLink | undefined> => {
    if (await isInactive(deps, accountId)) return undefined;
    const only = await findOnlyLink(deps, accountId);
    const sms = only && findCarrier(deps, only.carrier)?.sms;
    if (!only || !sms?.isUp(only)) return undefined;
    const fastLink = byLink.get(only.uuid) ?? (await openFastLink(linkOf(accountId, only)));
    if (fastLink.parts + parts > sms.room(only)) return undefined;
    const isAllowed = (): boolean => fastLink.parts + parts <= allowedBy(fastLink);
    // By now the rate may allow something again.
    if (!isAllowed() && performance.now() - fastLink.seenMs > lookAgainMs)
      Object.assign(fastLink, await spend(fastLink.link, 0));
    return isAllowed() ? fastLink : undefined;
  };

  const openFastLink = async (link: WaitingLink): Promise<FastLink> => {
    const seen = await spend(link, 0);
    // Others may have looked at the same time.
    const fastLink = byLink.get(link.uuid) ?? { link, waiting: [], parts: 0, ...seen };
    byLink.set(link.uuid, fastLink);
    return fastLink;
  };

  const spend = async ({ account_id, uuid }: WaitingLink, parts: number) => ({
    allowance: await spendAllowance(deps.db, account_id, uuid, parts),
    seenMs: performance.now(),
  });

  const insert = async (inside: Deps, batch: QueuedSms[], fastLink: FastLink, parts: number): Promise<string> => {
    const { link } = fastLink;
    const uuid = newId();
    fastLink.parts += parts;
    known.add(uuid);
    const taker = { uuid, link, workerNumber: inside.listener.workerNumber, now: nowOf(link) };
    const { moment, isInHand } = await insertInHand(inside.db, batch, taker).catch((error) => {
      fastLink.parts -= parts;
      lost.set(uuid, performance.now() + mendingMs);
      throw error;
    });
    if (isInHand) {
      fastLink.waiting.push({ uuid, waiting: batch.map(claimedOf), open: batch.length, isLost: false });
    } else {
      fastLink.parts -= parts;
      known.delete(uuid);
    }
    return moment;
  };

  const take = async ({ uuid }: WaitingLink, most: number): Promise<Batch | undefined> => {
    const fastLink = byLink.get(uuid);
    if (!fastLink || fastLink.waiting.length === 0) return undefined;
    const claimed: Claimed[] = [];
    const taken: [from: WaitingBatch, count: number][] = [];
    while (claimed.length < most && fastLink.waiting.length > 0) {
      const first = fastLink.waiting[0]!;
      const some = first.waiting.splice(0, most - claimed.length);
      if (first.waiting.length === 0) fastLink.waiting.shift();
      claimed.push(...some);
      taken.push([first, some.length]);
    }
    const parts = partsOf(claimed);
    // Only this process has them, so they must leave even where this fails.
    const spent = await spend(fastLink.link, parts).catch((error) =>
      deps.log.warn({ err: error }, 'A rate could not be spent'),
    );
    Object.assign(fastLink, { parts: fastLink.parts - parts, ...spent });
    const end = (isLost: boolean): void => {
      for (const [from, count] of taken) {
        from.open -= count;
        from.isLost ||= isLost;
        // Others of the batch have not ended yet.
        if (from.open > 0) continue;
        if (from.isLost) setTimeout(() => known.delete(from.uuid), lateMs).unref();
        else through.add(from.uuid);
      }
    };
    const own = { written: () => end(false), letGo: () => end(true) };
    return { link: fastLink.link, claim: 0, claimed, now: nowOf(fastLink.link), inHand: own };
  };

  const sweep = async (): Promise<void> => {
    const { workerNumber } = deps.listener;
    const ended = [...through];
    await forgetInHandAnyAccount(deps.db, workerNumber, ended);
    for (const uuid of ended) {
      through.delete(uuid);
      known.delete(uuid);
    }
    const forget = (uuid: string): void => {
      lost.delete(uuid);
      known.delete(uuid);
    };
    for (const uuid of await releaseInHandAnyAccount(deps.db, workerNumber, [...lost.keys()])) forget(uuid);
    for (const [uuid, untilMs] of lost) if (untilMs < performance.now()) forget(uuid);
  };

  const path: FastPath = {
    async accept(inside, batch) {
      const [{ account_id: accountId }] = batch as [QueuedSms, ...QueuedSms[]];
      if (inside.db.isTransaction || !batch.every((sms) => sms.account_id === accountId && mayLeave(sms)))
        return undefined;
      const parts = partsOf(batch);
      const fastLink = await findFastLink(accountId, parts);
      if (!fastLink || placeOf(deps).get() !== path) return undefined;
      const inserting = insert(inside, batch, fastLink, parts);
      accepting.add(inserting);
      return inserting.finally(() => accepting.delete(inserting));
    },
    links: () => [...byLink.values()].filter(({ waiting }) => waiting.length > 0).map(({ link }) => link),
    take,
    known: () => [...known],
    sweep,
    async close(last) {
      placeOf(deps).set(undefined);
      await Promise.allSettled(accepting);
      await Promise.all(path.links().map(async (link) => last((await take(link, Number.POSITIVE_INFINITY))!)));
      await sweep();
    },
  };
  // A standby that took over may lack the states of these: the carrier is asked.
  deps.listener.onTakeover(() => {
    for (const uuid of through) known.delete(uuid);
    through.clear();
  });
  placeOf(deps).set(path);
  return path;
}

/** How many parts the rate of a link allows by now. */
const allowedBy = ({ allowance: { available, perSecond }, seenMs }: FastLink): number =>
  Math.min(perSecond, available + ((performance.now() - seenMs) / 1000) * perSecond);

/** The SMS of campaigns leave after all others, and those that are held or planned have a time of their own. */
const mayLeave = ({ priority, due_at }: QueuedSms): boolean => priority === priorities.own && due_at === '-infinity';

const linkOf = (accountId: string, { uuid, carrier }: { uuid: string; carrier: string }): WaitingLink => ({
  account_id: accountId,
  uuid,
  carrier,
  weight: 1,
  due_at: new Date(0).toISOString(),
});

const partsOf = (some: { segments: number }[]): number => some.reduce((sum, { segments }) => sum + segments, 0);

const claimedOf = ({ uuid, from_number, to_number, text, encoding, segments, ...sms }: QueuedSms): Claimed => ({
  uuid,
  from_number,
  to_number,
  from_digits: sms.from_digits,
  to_digits: sms.to_digits,
  text,
  encoding,
  segments,
  priority: sms.priority,
  attempts: 1,
  give_up_at: null,
  expires_at: sms.expires_at,
  callback_url: sms.callback_url,
  campaign_log: sms.campaign_log,
});
