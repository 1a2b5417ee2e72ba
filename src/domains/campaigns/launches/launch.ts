import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/http/route.ts';
import { withOffset } from '../../../platform/http/validation/index.ts';
import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/within.ts';
import { checkCampaign } from '../change.ts';
import { insertLog, type LogRow, lockNewestLog } from '../logs/queries.ts';
import { findCampaign, lockCampaign, setNewestLog } from '../queries.ts';
import { fieldsOf } from '../schemas.ts';
import { isOver, type LogStatus } from './states.ts';
import { cancel, pause, resume, tellScheduled } from './transition.ts';

/** Tells the feeder that a launch has something to do. */
export const campaignTopic = 'campaigns';

/** Launches a campaign, now or at a moment. One whose last launch is not over is refused. */
export const launchCampaign = (
  deps: Deps,
  accountId: string,
  uuid: string,
  { send_at }: { send_at?: string | undefined },
): Promise<LogRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const campaign = await lockCampaign(db, accountId, uuid);
    if (!campaign) throw notFound();
    const snapshot = fieldsOf(campaign);
    // Lists may have been deleted since.
    await checkCampaign(deps, accountId, snapshot);
    const moment = send_at ?? snapshot.send_at;
    const startAt = moment === null ? '-infinity' : withOffset(moment);
    const log = await insertLog(db, accountId, { campaign: uuid, snapshot, startAt });
    if (!log) throw new ApiError('campaign_running');
    await setNewestLog(db, accountId, uuid, log.uuid);
    await tellScheduled(deps, log);
    deps.listener.signal(campaignTopic, '');
    return log;
  });

/** Who paused a launch, and why. */
export interface PausedBy {
  by?: Actor | undefined;
  reason?: string | undefined;
}

type Verb = 'pause' | 'resume' | 'cancel';

/** The states in which a launch can be changed, and those in which it is already as wanted. */
const verbs: Record<Verb, { from: (status: LogStatus) => boolean; done: (status: LogStatus) => boolean }> = {
  pause: { from: (status) => status === 'SCHEDULED' || status === 'RUNNING', done: (status) => status === 'PAUSED' },
  resume: { from: (status) => status === 'PAUSED', done: (status) => !isOver(status) },
  cancel: { from: (status) => !isOver(status), done: (status) => status === 'CANCELLED' },
};

/** Changes the newest launch of a campaign. Doing so twice gives the same answer. It takes effect with the commit. */
const steer = (
  deps: Deps,
  accountId: string,
  uuid: string,
  verb: Verb,
  change: (deps: Deps, log: LogRow) => Promise<LogRow>,
): Promise<LogRow> =>
  within(deps, async (deps) => {
    const { db } = deps;
    if (!(await findCampaign(db, accountId, uuid))) throw notFound();
    const log = await lockNewestLog(db, accountId, uuid);
    if (!log) throw new ApiError('campaign_not_running');
    if (!verbs[verb].from(log.status)) {
      if (verbs[verb].done(log.status)) return log;
      throw new ApiError('campaign_not_running');
    }
    return change(deps, log);
  });

export const pauseCampaign = (deps: Deps, accountId: string, uuid: string, { by, reason }: PausedBy): Promise<LogRow> =>
  steer(deps, accountId, uuid, 'pause', (deps, log) => pause(deps, log, reason || 'Paused by the account.', by));

export const steerCampaign = (
  deps: Deps,
  accountId: string,
  uuid: string,
  verb: 'resume' | 'cancel',
): Promise<LogRow> =>
  steer(deps, accountId, uuid, verb, (deps, log) => {
    if (verb === 'cancel') return cancel(deps, log);
    deps.listener.signal(campaignTopic, '');
    return resume(deps, log, newId());
  });
