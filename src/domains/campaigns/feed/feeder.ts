import { clockTopic } from '../../../carriers/ports/carriers.ts';
import type { Deps } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { countAudience } from '../../contacts/index.ts';
import { readTallies } from '../../tallies/index.ts';
import { findDue } from '../audience/queries.ts';
import { findTrouble } from '../launches/failures.ts';
import { campaignTopic } from '../launches/launch.ts';
import { withMark, withSpan } from '../launches/pace.ts';
import { type Counts, countLeft, countOf, countReached } from '../launches/states.ts';
import { complete, pause, tellStarted } from '../launches/transition.ts';
import {
  findMovedAnyAccount,
  findOpenAnyAccount,
  type LogRef,
  lockLog,
  mostOpen,
  type OpenLog,
  saveProgress,
  setAudience,
  sleepUntil,
  somethingText,
  startLog,
  type TakenLog,
  takeLog,
  wakeMovedAnyAccount,
} from '../logs/queries.ts';
import { channels } from './channels.ts';
import { feed, nextPortion, Unsendable } from './feed.ts';

/**
 * While a launch runs, look this often for room that sent messages have left, and less and less often at one for which there is none;
 * while none runs, look at clocks.
 */
const busyPauseMs = 250;
const longestPauseMs = 2000;
const pauseGrowth = 1.5;
const idlePauseMs = 1000;
/** How long a launch whose step failed is left alone. */
const troublePauseMs = 5000;
const atOnce = 4;

/**
 * Feeds the launches of campaigns to their senders, one step of each in turn, so that a large launch does not keep others waiting.
 * Any number of processes may do so: a launch is locked by one step at a time.
 */
export function startCampaigns(deps: Deps): { stop(): Promise<void> } {
  const resting = new Map<string, number>();
  /** Launches whose latest step left more to do at once. */
  const bulk = new Set<string>();
  /** Those whose latest step found nothing to do, and how long they are left alone. */
  const calm = new Map<string, number>();
  /** Where there are more launches than are read at once: the last that was, so that all get their turn. */
  let lastOfRound: OpenLog | undefined;

  /** A launch that fails does not delay the others. */
  const guarded = async <T>(log: OpenLog, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      deps.log.error({ err: error, campaignLog: log.uuid }, 'campaigns: a step failed');
      resting.set(log.uuid, performance.now() + troublePauseMs);
      return undefined;
    }
  };

  /** Answers whether there may be more to do at once. */
  const stepOf = async (log: OpenLog): Promise<boolean> => {
    if (bulk.has(log.uuid)) await deps.foreground.giveWay(log.account_id);
    const next = await guarded(log, () => step(deps, log));
    if (next === 'at once') bulk.add(log.uuid);
    else bulk.delete(log.uuid);
    if (next === 'later') {
      const pauseMs = Math.min(longestPauseMs, (calm.get(log.uuid) ?? busyPauseMs / pauseGrowth) * pauseGrowth);
      calm.set(log.uuid, pauseMs);
      resting.set(log.uuid, performance.now() + pauseMs);
    } else calm.delete(log.uuid);
    return next === 'at once';
  };

  const feedSome = async (): Promise<number> => {
    const isFirst = lastOfRound === undefined;
    const open = await findOpenAnyAccount(deps.db, deps.clock.now(), lastOfRound);
    const isLast = open.length < mostOpen;
    lastOfRound = isLast ? undefined : open.at(-1);
    for (const [uuid, until] of resting) if (until <= performance.now()) resting.delete(uuid);
    if (isFirst && isLast) {
      const known = new Set(open.map(({ uuid }) => uuid));
      for (const uuid of calm.keys()) if (!known.has(uuid)) calm.delete(uuid);
    }
    const scheduled = open.filter(isScheduled).map(({ account_id }) => account_id);
    const moved = await findMovedAnyAccount(deps.db, [...new Set(scheduled)]);
    const ready: OpenLog[] = [];
    for (const log of open)
      if (!resting.has(log.uuid) && (await guarded(log, () => isReady(deps, log, moved)))) ready.push(log);
    let isMore = false;
    for (let from = 0; from < ready.length; from += atOnce) {
      const steps = await Promise.all(ready.slice(from, from + atOnce).map(stepOf));
      isMore ||= steps.includes(true);
    }
    if (isMore) return 0;
    return ready.length > 0 || calm.size > 0 || !isFirst || !isLast ? busyPauseMs : idlePauseMs;
  };
  const loop = startLoop(deps.log, 'campaigns', feedSome, { watch: deps.listener.poll.watch(somethingText) });
  deps.listener.on(campaignTopic, () => {
    for (const uuid of calm.keys()) resting.delete(uuid);
    calm.clear();
    loop.wake();
  });
  const wakeMoved = (accountId: string): void => {
    wakeMovedAnyAccount(deps.db, accountId || undefined).then(
      () => loop.wake(),
      (error) => deps.log.warn({ err: error }, 'Launches could not be woken by a sandbox clock'),
    );
  };
  deps.listener.on(clockTopic, wakeMoved);
  wakeMoved('');
  return loop;
}

const isScheduled = ({ status, start_at }: OpenLog): boolean => status === 'SCHEDULED' && start_at !== '-infinity';

/**
 * A launch that is yet to start by a clock that was moved is ready once its time has come. Any other is: it starts, or sleeps until then.
 */
async function isReady(deps: Deps, log: OpenLog, moved: ReadonlySet<string>): Promise<boolean> {
  const { account_id, start_at, channel, sender } = log;
  if (!isScheduled(log) || !moved.has(account_id)) return true;
  const now = await channels[channel].now(deps, account_id, sender);
  return Date.parse(start_at) <= now.getTime();
}

/** At most so many people per step. */
const mostAtOnce = 500;
/** How many seconds' worth of messages wait ahead of the sender, within these bounds. */
const aheadSeconds = 5;
const leastAhead = 200;
const mostAhead = 2000;

/** When a launch is looked at again. `later`: it waits for its messages to leave. */
type Next = 'at once' | 'soon' | 'later';

/**
 * One step of a launch, in one transaction: it takes the next people, sends their messages, and stores what became of each and
 * where the launch stands. A crash leaves all of a step or nothing.
 */
async function step(deps: Deps, ref: LogRef): Promise<Next> {
  try {
    return await within(deps, (deps) => advance(deps, ref));
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error;
    await within(deps, async (deps) => {
      const log = await lockLog(deps.db, ref);
      if (log?.status === 'RUNNING') await pause(deps, log, error.message);
    });
    return 'soon';
  }
}

async function advance(deps: Deps, ref: LogRef): Promise<Next> {
  const log = await takeLog(deps.db, ref);
  if (!log) return 'soon';
  const channel = channels[log.snapshot.channel];
  const now = await channel.now(deps, log.account_id, log.snapshot.sender);
  if (log.status === 'SCHEDULED') return begin(deps, log, now);

  const counts = (await readTallies(deps.db, log.account_id, [log.uuid])).get(log.uuid)!;
  const trouble = await findTrouble(deps.db, log, counts);
  if (trouble !== undefined) {
    await pause(deps, log, trouble);
    return 'soon';
  }
  if (log.is_expanded && countOf(counts, 'held') === 0 && countOf(counts, 'queued') === 0) {
    await complete(deps, log);
    return 'soon';
  }
  const perSecond = await channel.perSecond(deps, log.account_id, log.snapshot.sender);
  return goOn(deps, log, now, counts, roomOf(log, counts, perSecond));
}

/** Begins a scheduled launch, if its time has come by the clock of its carrier. */
async function begin(deps: Deps, scheduled: TakenLog, now: Date): Promise<Next> {
  if (Date.parse(scheduled.start_at) > now.getTime()) {
    await sleepUntil(deps.db, scheduled, scheduled.start_at);
    return 'soon';
  }
  const log = await startLog(deps.db, scheduled);
  const { lists, excluded_lists: excludedLists, segment = [] } = log.snapshot;
  const at = log.audience_at!;
  log.audience = await countAudience(deps.db, log.account_id, { lists, excludedLists, segment, at });
  await setAudience(deps.db, log, log.audience);
  await tellStarted(deps, log);
  return 'at once';
}

/** How many people the launch may take now. `tokens`: by its own rate. `people`: by that and by what waits already. */
function roomOf(log: TakenLog, counts: Counts, perSecond: number): { people: number; tokens: number } {
  const own = log.snapshot.rate_per_second;
  const tokens = own === null ? mostAtOnce : Math.min(own, Math.max(0, log.rate_tokens) + log.filled_seconds * own);
  const ahead = Math.min(mostAhead, Math.max(leastAhead, aheadSeconds * Math.min(perSecond, own ?? perSecond)));
  const room = ahead - countOf(counts, 'queued');
  // A handful at a time would cost a transaction each.
  const people = room < ahead / 4 ? 0 : Math.min(mostAtOnce, room, tokens);
  return { people: Math.max(0, Math.floor(people)), tokens };
}

async function goOn(
  deps: Deps,
  log: TakenLog,
  now: Date,
  counts: Counts,
  { people, tokens }: { people: number; tokens: number },
): Promise<Next> {
  const { db } = deps;
  const nowMs = deps.clock.now().getTime();
  const pace = withMark(log.pace, nowMs, countLeft(counts));
  const history = pace === log.pace ? log.history : withSpan(log.history, nowMs, countLeft(counts));
  const portion = people > 0 ? await nextPortion(deps, log, now, people) : undefined;
  const isMoved = portion !== undefined && (portion.candidates.length > 0 || portion.isExpanded !== log.is_expanded);
  if (!portion || (!isMoved && portion.cursor === log.cursor)) {
    if (pace !== log.pace) await saveProgress(db, log, { ...log, pace, history });
    if (portion?.isExpanded && countOf(counts, 'queued') === 0) {
      const { first } = await findDue(db, log);
      if (first) await sleepUntil(db, log, first);
    }
    // One with a rate of its own may send again as soon as there is a token.
    return log.snapshot.rate_per_second === null || log.is_expanded ? 'later' : 'soon';
  }
  const rows = await feed(deps, log, now, portion);
  if (portion.isExpanded && !log.is_expanded) {
    // People who joined a list again, or came to meet a condition, were not counted at the start. Now the audience is known.
    await setAudience(db, log, countReached(counts) + rows.length);
  }
  const sent = rows.filter(({ state }) => state === 'QUEUED').length;
  await saveProgress(db, log, {
    cursor: portion.cursor,
    is_expanded: portion.isExpanded,
    rate_tokens: tokens - sent,
    rate_at: log.taken_at,
    pace,
    history,
  });
  return 'at once';
}
