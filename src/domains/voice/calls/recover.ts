import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { within } from '../../../platform/within.ts';
import { type CalledNumber, findCalledNumber } from '../../numbers/index.ts';
import { mendRecording } from '../records/recording.ts';
import { eventOf } from './call.ts';
import { applyChanges } from './change.ts';
import { closeCall } from './end.ts';
import { type Lost, lockLostAnyAccount } from './under-way-queries.ts';

const mostAtOnce = 100;

/** Closes calls that nobody has any more, from what is known of them. Answers how many there were. */
export const recoverLost = (deps: Deps): Promise<number> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const lost = await lockLostAnyAccount(db, mostAtOnce);
    for (const row of lost) {
      const number = await findCalledNumber(db, row.account_id, row.number_digits);
      const kept = { ...row, ...(await keepRecorded(db, deps, row, number)) };
      const closing = { ...endingOf(kept), at: lastSeen(deps, row), number };
      await closeCall(db, deps, kept, closing);
    }
    if (lost.length > 0) deps.log.warn({ count: lost.length }, 'Closed calls whose process is gone');
    return lost.length;
  });

/** What was recorded until then is kept. Before anybody has answered it can only be a message that the caller was leaving. */
async function keepRecorded(db: Db, deps: Deps, row: Lost, number: CalledNumber | undefined) {
  if (row.claimed_by === null || row.recording_seconds !== null) return undefined;
  const call = { accountId: row.account_id, uuid: row.uuid, row };
  const seconds = await mendRecording(deps.files, call);
  if (seconds === undefined) return undefined;
  const voicemail = row.answered_at === null;
  const told = voicemail ? 'call.voicemail_received' : 'call.recording_ready';
  const changes = { recording_seconds: seconds, voicemail };
  const events = [eventOf(call, told, { seconds })];
  return (await applyChanges(db, deps, [{ ...call, changes, events, told, webhooks: number?.webhooks ?? [] }]))[0];
}

function endingOf({ claimed_by, answered_at, voicemail }: Lost) {
  if (claimed_by === null) {
    const description = 'No process could carry the call in time.';
    return { result: 'FAILED', by: 'PLATFORM', code: 503, description } as const;
  }
  const description = 'The server was interrupted during the call.';
  if (voicemail) return { result: 'VOICEMAIL', by: 'PLATFORM', code: 200, description } as const;
  return answered_at === null
    ? ({ result: 'FAILED', by: 'PLATFORM', code: 500, description } as const)
    : ({
        result: 'ANSWERED',
        by: 'PLATFORM',
        code: 200,
        description: `${description} It lasted at least so long.`,
      } as const);
}

/** The latest moment at which the call is known to have been under way; all of them by the time of its carrier. */
function lastSeen({ carriers, clock }: Deps, { account_id, carrier, seen_at, answered_at, started_at }: Lost): Date {
  const known = [seen_at, answered_at, started_at].filter((at) => at !== null).map((at) => Date.parse(at));
  if (known.length > 0) return new Date(Math.max(...known));
  return carriers.find(carrier, 'voice')?.voice.clock(account_id).now() ?? clock.now();
}
