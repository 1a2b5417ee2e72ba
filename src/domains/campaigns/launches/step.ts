import type { Deps } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import { countAudience } from '../../contacts/index.ts';
import { readTallies } from '../../tallies/index.ts';
import { withSpan } from '../audience/history.ts';
import { channels } from '../feed/channels.ts';
import { feed, nextPortion } from '../feed/feed.ts';
import { withMark } from '../feed/pace.ts';
import { Unsendable } from '../feed/send-drafts.ts';
import { type LogRef, lockLog, saveProgress, setAudience, startLog, type TakenLog, takeLog } from '../logs/queries.ts';
import { type Counts, countLeft, countOf, countReached } from './counts.ts';
import { complete, pause, tellStarted } from './transition.ts';
import { findTrouble } from './trouble.ts';

/** At most so many people per step. */
const mostAtOnce = 500;
/** So many seconds of what the sender may send wait ahead of it, within these bounds. */
const aheadSeconds = 5;
const leastAhead = 200;
const mostAhead = 2000;

/**
 * One step of a launch, which is one transaction: the next people, their messages, what became of them, and where the launch
 * stands. A crash leaves nothing of a step or all of it. Answers whether there may be more to do at once.
 */
export async function step(deps: Deps, ref: LogRef): Promise<boolean> {
  try {
    return await within(deps, (deps) => advance(deps, ref));
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error;
    await within(deps, async (deps) => {
      const log = await lockLog(deps.db, ref);
      if (log?.status === 'RUNNING') await pause(deps, log, error.message);
    });
    return false;
  }
}

async function advance(deps: Deps, ref: LogRef): Promise<boolean> {
  const log = await takeLog(deps.db, ref);
  if (!log) return false;
  const channel = channels[log.snapshot.channel];
  const now = await channel.now(deps, log.account_id, log.snapshot.sender);
  if (log.status === 'SCHEDULED') return begin(deps, log, now);

  const counts = (await readTallies(deps.db, log.account_id, [log.uuid])).get(log.uuid)!;
  const trouble = await findTrouble(deps.db, log, counts);
  if (trouble !== undefined) {
    await pause(deps, log, trouble);
    return false;
  }
  if (log.is_expanded && countOf(counts, 'held') === 0 && countOf(counts, 'queued') === 0) {
    await complete(deps, log);
    return false;
  }
  const perSecond = await channel.perSecond(deps, log.account_id, log.snapshot.sender);
  return goOn(deps, log, now, counts, roomOf(log, counts, perSecond));
}

/** By the time of its carrier. */
async function begin(deps: Deps, scheduled: TakenLog, now: Date): Promise<boolean> {
  if (Date.parse(scheduled.start_at) > now.getTime()) return false;
  const log = await startLog(deps.db, scheduled);
  const { lists, excluded_lists: excludedLists, segment = [] } = log.snapshot;
  const at = log.audience_at!;
  log.audience = await countAudience(deps.db, log.account_id, { lists, excludedLists, segment, at });
  await setAudience(deps.db, log, log.audience);
  await tellStarted(deps, log);
  return true;
}

/** How many the launch may come to now: `tokens` by its own rate, `people` by that and by what waits already. */
function roomOf(log: TakenLog, counts: Counts, perSecond: number): { people: number; tokens: number } {
  const own = log.snapshot.rate_per_second;
  const tokens = own === null ? mostAtOnce : Math.min(own, Math.max(0, log.rate_tokens) + log.filled_seconds * own);
  const ahead = Math.min(mostAhead, Math.max(leastAhead, aheadSeconds * Math.min(perSecond, own ?? perSecond)));
  const people = Math.min(mostAtOnce, ahead - countOf(counts, 'queued'), tokens);
  return { people: Math.max(0, Math.floor(people)), tokens };
}

async function goOn(
  deps: Deps,
  log: TakenLog,
  now: Date,
  counts: Counts,
  { people, tokens }: { people: number; tokens: number },
): Promise<boolean> {
  const { db } = deps;
  const nowMs = deps.clock.now().getTime();
  const pace = withMark(log.pace, nowMs, countLeft(counts));
  const history = pace === log.pace ? log.history : withSpan(log.history, nowMs, countLeft(counts));
  const portion = people > 0 ? await nextPortion(deps, log, now, people) : undefined;
  const isMoved = portion !== undefined && (portion.candidates.length > 0 || portion.isExpanded !== log.is_expanded);
  if (!portion || (!isMoved && portion.cursor === log.cursor)) {
    if (pace !== log.pace) await saveProgress(db, log, { ...log, pace, history });
    return false;
  }
  const rows = await feed(deps, log, now, portion);
  if (portion.isExpanded && !log.is_expanded) {
    // Who joined a list again, or came to meet a condition, was not counted at the start; from here on it is known who they are.
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
  return true;
}
