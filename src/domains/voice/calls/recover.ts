import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { within } from '../../../platform/within.ts';
import { countStored } from '../../accounts/index.ts';
import { type CalledNumber, findCalledNumber } from '../../numbers/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce } from '../../webhooks/index.ts';
import { findCall, setLateRecording } from '../queries.ts';
import { mendRecording, recordingFile, recordingsFolder } from '../records/recording.ts';
import { presentCall } from '../schemas.ts';
import { eventOf } from './call.ts';
import { applyChanges } from './change.ts';
import { closeCall } from './end.ts';
import { findLostAnyAccount, type Lost, lockLostAnyAccount } from './under-way-queries.ts';

const mostAtOnce = 100;

/**
 * Closes calls that nobody has any more, from what is known of them. Answers how many there were. What was recorded of them goes to the
 * files before that: a store may take its time.
 */
export async function recoverLost(deps: Deps): Promise<number> {
  const found = await findLostAnyAccount(deps.db, mostAtOnce);
  if (found.length === 0) return 0;
  const recorded = new Map<string, number>();
  for (const row of found) {
    if (row.claimed_by === null || row.recording_seconds !== null) continue;
    const seconds = await mendRecording(deps.files, { accountId: row.account_id, uuid: row.uuid });
    if (seconds !== undefined) recorded.set(row.uuid, seconds);
  }
  return within(deps, async (deps) => {
    const { db } = deps;
    const uuids = found.map(({ uuid }) => uuid);
    const lost = await lockLostAnyAccount(db, uuids);
    for (const row of lost) {
      const number = await findCalledNumber(db, row.account_id, row.number_digits);
      const kept = { ...row, ...(await noteRecorded(db, deps, row, { number, seconds: recorded.get(row.uuid) })) };
      const closing = { ...endingOf(kept), at: lastSeen(deps, row), number };
      await closeCall(db, deps, kept, closing);
    }
    if (lost.length > 0) deps.log.warn({ count: lost.length }, 'Closed calls whose process is gone');
    return lost.length;
  });
}

/**
 * This machine seemed dead, so another one closed its calls, and could not find what was recorded of them here. What is worth keeping is
 * kept after all.
 */
export async function keepLateRecordings(deps: Deps): Promise<void> {
  for await (const name of deps.files.drafts(recordingsFolder)) {
    const [, accountId = '', uuid = ''] = name.split('/');
    await keepLate(deps, accountId, uuid).catch((error: unknown) =>
      deps.log.error({ err: error, call: uuid }, 'A recording could not be kept'),
    );
  }
}

async function keepLate(deps: Deps, accountId: string, uuid: string): Promise<void> {
  const row = await findCall(deps.db, accountId, uuid);
  if (row?.status !== 'ENDED' || row.recording_seconds !== null) return;
  const call = { accountId, uuid, row };
  const seconds = await mendRecording(deps.files, call);
  if (seconds === undefined) return;
  const size = (await deps.files.size(recordingFile(accountId, uuid))) ?? 0;
  const number = await findCalledNumber(deps.db, accountId, row.number_digits);
  const voicemail = row.answered_at === null;
  const told = voicemail ? 'call.voicemail_received' : 'call.recording_ready';
  await within(deps, async (inside) => {
    const { db } = inside;
    const kept = await setLateRecording(db, accountId, uuid, { recording_seconds: seconds, voicemail });
    if (!kept) return;
    await appendEvents(db, [eventOf(call, told, { seconds })]);
    await countStored(db, accountId, size);
    const data = presentCall(kept);
    await announce(db, inside, [{ accountId, type: told, data, numberWebhooks: number?.webhooks ?? [] }]);
  });
}

/** What was recorded until then counts. Before anybody has answered it can only be a message that the caller was leaving. */
async function noteRecorded(
  db: Db,
  deps: Deps,
  row: Lost,
  { number, seconds }: { number: CalledNumber | undefined; seconds: number | undefined },
) {
  if (seconds === undefined) return undefined;
  const call = { accountId: row.account_id, uuid: row.uuid, row };
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
