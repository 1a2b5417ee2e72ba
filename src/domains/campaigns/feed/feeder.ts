import type { Deps } from '../../../deps.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { campaignTopic } from '../launches/launch.ts';
import { step } from '../launches/step.ts';
import { findOpenAnyAccount, type OpenLog } from '../logs/queries.ts';
import { channels } from './channels.ts';

/** While something runs, what was sent makes room this often; when nothing does, clocks are looked at. */
const busyPauseMs = 250;
const idlePauseMs = 1000;
/** How long a launch whose step failed is left alone. */
const troublePauseMs = 5000;
const atOnce = 4;
const somethingText = "exists (select from campaign_logs where status in ('SCHEDULED', 'RUNNING'))";

/**
 * Feeds the launches of campaigns to their senders, a step of each in turn, so that a large one does not keep others waiting.
 * Any number of processes may do so: a launch is in the hands of one step at a time.
 */
export function startCampaigns(deps: Deps): { stop(): Promise<void> } {
  const resting = new Map<string, number>();

  /** One launch's trouble holds up no other. */
  const guarded = async (log: OpenLog, work: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await work();
    } catch (error) {
      deps.log.error({ err: error, campaignLog: log.uuid }, 'campaigns: a step failed');
      resting.set(log.uuid, performance.now() + troublePauseMs);
      return false;
    }
  };

  const feed = async (): Promise<number> => {
    const open = await findOpenAnyAccount(deps.db);
    for (const [uuid, until] of resting) if (until <= performance.now()) resting.delete(uuid);
    const ready: OpenLog[] = [];
    for (const log of open)
      if (!resting.has(log.uuid) && (await guarded(log, () => isReady(deps, log)))) ready.push(log);
    let isMore = false;
    for (let from = 0; from < ready.length; from += atOnce) {
      const moved = await Promise.all(
        ready.slice(from, from + atOnce).map((log) => guarded(log, () => step(deps, log))),
      );
      isMore ||= moved.includes(true);
    }
    if (isMore) return 0;
    return ready.length > 0 ? busyPauseMs : idlePauseMs;
  };
  const loop = startLoop(deps.log, 'campaigns', feed, { watch: deps.listener.poll.watch(somethingText) });
  deps.listener.on(campaignTopic, () => loop.wake());
  return loop;
}

/** One that is yet to start is asked only for its time. */
async function isReady(deps: Deps, { account_id, status, start_at, channel, sender }: OpenLog): Promise<boolean> {
  if (status === 'RUNNING' || start_at === '-infinity') return true;
  const now = await channels[channel].now(deps, account_id, sender);
  return Date.parse(start_at) <= now.getTime();
}
