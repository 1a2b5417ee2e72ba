import type { CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { Deps } from '../../../deps.ts';
import { ApiError, type FieldErrors, ValidationError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { canonicalLanguage, english } from '../../../platform/speech/languages.ts';
import { within } from '../../../platform/within.ts';
import { phoneReader, sandboxMode } from '../../accounts/index.ts';
import { findSound, speechErrors } from '../../audio/index.ts';
import { findCalledNumber } from '../../numbers/index.ts';
import { findOptedOut } from '../../optouts/index.ts';
import { heedSafeguards, noteRefusal, policiesOf, type Sending } from '../../safeguards/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { usualRingSeconds } from '../flow/ring.ts';
import { type CallRow, insertCall } from '../queries.ts';
import type { CallCreate } from '../schemas.ts';
import { eventOf } from './call.ts';
import { countUnderWay } from './under-way-queries.ts';

/** Tells those who can dial that a call waits. */
export const queueTopic = 'voice-calls';

/** Accepts a call that is to be made: it is dialled as soon as a process can, once. */
export async function startCall(deps: Deps, accountId: string, request: CallCreate): Promise<CallRow> {
  const carrier = await carrierFor(deps, accountId);
  if (!carrier) throw new ValidationError({ non_field_errors: ['The account has no voice link.'] });
  const read = await phoneReader(deps, accountId);
  const digits = { from: read(request.from), to: read(request.to) };
  const number = await findCalledNumber(deps.db, accountId, digits.from);
  const errors: FieldErrors = await speechErrors(deps, request);
  const needsOwn = !carrier.adoptsUnknown || (await sandboxMode(deps, accountId)) !== 'adopt';
  if (needsOwn && !number?.capabilities.includes('VOICE')) {
    errors['from'] = ['This is not one of your voice-capable numbers.'];
  }
  if (request.audio_file !== undefined && !(await findSound(deps, accountId, request.audio_file))) {
    errors['audio_file'] = ['No audio file has this name or uuid.'];
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  await refuseOptedOut(deps, accountId, digits.to);
  const sending = { accountId, channel: 'VOICE' as const, senderKey: digits.from, digits: digits.to, units: 1 };
  const refusal = (await heedSafeguards(deps, [sending])).get(sending);
  if (refusal) throw refusal;

  const row = await within(deps, async (deps) => {
    const { db } = deps;
    await refuseTooMany(deps, sending);
    const fields = fieldsOf(request, carrier.name, number?.number ?? request.from, digits);
    const row = await insertCall(db, accountId, fields, null);
    await appendEvents(db, [eventOf({ accountId, uuid: row.uuid, row }, 'call.queued', { to: request.to })]);
    return row;
  });
  deps.listener.signal(queueTopic, '');
  return row;
}

async function refuseOptedOut(deps: Deps, accountId: string, digits: string): Promise<void> {
  const optedOut = await findOptedOut(deps, [{ accountId, digits }], 'VOICE');
  if (optedOut.size > 0) throw new ApiError('recipient_opted_out');
}

/** Calls are counted one after the other, so that two cannot both be the last. */
async function refuseTooMany(deps: Deps, sending: Sending): Promise<void> {
  const { accountId } = sending;
  const most = (await policiesOf(deps, [accountId])).get(accountId)?.settings.max_concurrent_calls ?? null;
  if (most === null || (await countUnderWay(deps.db, accountId)) < most) return;
  noteRefusal(deps, sending, { rule: 'CONCURRENT_CALLS', subject: String(most) }, deps.clock.now());
  throw new ApiError('too_many_calls');
}

const fieldsOf = (request: CallCreate, carrier: string, number: string, digits: { from: string; to: string }) => ({
  uuid: newId(),
  direction: 'OUTBOUND',
  carrier,
  number,
  number_digits: digits.from,
  from_number: request.from,
  from_digits: digits.from,
  to_number: request.to,
  to_digits: digits.to,
  status: 'QUEUED',
  bridge_to: request.bridge_to ?? '',
  tts: request.tts ?? '',
  tts_language: canonicalLanguage(request.tts_language ?? english),
  audio_file: request.audio_file ?? '',
  record: request.record ?? false,
  timeout_seconds: request.timeout_seconds ?? usualRingSeconds,
  meta_data: JSON.stringify(request.meta_data ?? {}),
});

/**
 * By which carrier an account's calls leave: a live one that it has links of, also when these are down just now; an account
 * without any tries things out, unless its sandbox is off.
 */
export async function carrierFor(
  deps: Pick<Deps, 'carriers' | 'db' | 'caches'>,
  accountId: string,
): Promise<CarrierWith<'voice'> | undefined> {
  const all = deps.carriers.all('voice');
  const live = all.filter(({ adoptsUnknown }) => !adoptsUnknown);
  for (const carrier of live) if (await carrier.voice.canDial(accountId)) return carrier;
  for (const carrier of live) if ((await carrier.voice.status(accountId)).length > 0) return carrier;
  if ((await sandboxMode(deps, accountId)) === 'off') return undefined;
  return all.find(({ adoptsUnknown }) => adoptsUnknown);
}
