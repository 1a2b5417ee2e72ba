import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { international } from '../../platform/phone.ts';
import { within } from '../../platform/within.ts';
import { readPhones } from '../accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { erasedKey } from './erase.ts';
import { optOutCache } from './find.ts';
import {
  type Concern,
  deleteOptOut,
  deleteOptOuts,
  findOptOutEvent,
  insertOptOuts,
  type NewOptOut,
  type OptOutEventRow,
  type OptOutRow,
  type Trial,
  updateAnswerUntil,
} from './queries.ts';

/** How a person's own word reached us. */
export interface Said {
  /** null: by one that is not known any more, and that was a real one. */
  carrier: string | null;
  /** Came so long ago that what was said since may have been heeded already: it does not take that back. */
  before?: Date;
}

/** An opt-out as somebody of the account wrote it. */
export type OptOutRequest = Omit<NewOptOut, 'digits'>;

/** Opts people out of a channel as the account says, and answers how each of them stands now, in their order. */
export async function optOutEach(deps: Deps, accountId: string, requests: OptOutRequest[]): Promise<OptOutRow[]> {
  const digits = await readPhones(
    deps,
    requests.map(({ phone_number: number }) => ({ accountId, number })),
  );
  return optOutAll(
    deps,
    accountId,
    requests.map((request, index) => ({ ...request, digits: digits[index]! })),
  );
}

/** The same of people whose digits are known. Of somebody who is out already nothing new is noted. */
async function optOutAll(deps: Deps, accountId: string, requests: NewOptOut[]): Promise<OptOutRow[]> {
  if (requests.length === 0) return [];
  // One statement cannot meet the same row twice.
  const people = new Map(requests.map((request) => [keyOf(request), request]));
  const rows = await within(deps, async (deps) => {
    const { db } = deps;
    const rows = await insertOptOuts(db, accountId, [...people.values()]);
    const fresh = rows.filter(({ is_new }) => is_new);
    await tell(db, deps, fresh, 'OPT_OUT');
    return new Map(rows.map((row) => [keyOf(row), row]));
  });
  deps.caches.forget(optOutCache);
  return requests.map((request) => rows.get(keyOf(request))!);
}

const keyOf = ({ channel, digits }: Pick<NewOptOut, 'channel' | 'digits'>): string => `${channel} ${digits}`;

/** Opts one person out and answers how that stands now. */
export const optOut = (deps: Deps, accountId: string, request: OptOutRequest): Promise<OptOutRow> =>
  optOutEach(deps, accountId, [request]).then(([row]) => row!);

/** Lets messages through again. */
export const optIn = (deps: Deps, accountId: string, uuid: string, source: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const row = await deleteOptOut(db, accountId, uuid);
    if (!row) throw notFound();
    await tell(db, deps, [{ ...row, source, text: '' }], 'OPT_IN');
  });

/**
 * Notes that a person agrees to hear from the account on a channel, whether they had opted out or not. What they were opted out
 * of there is lifted; who was opted out of everything stays opted out of the other channels.
 */
export async function recordConsent(
  deps: Deps,
  accountId: string,
  { phone_number, channel, source, text }: OptOutRequest,
): Promise<OptOutEventRow> {
  const [digits = ''] = await readPhones(deps, [{ accountId, number: phone_number }]);
  return within(deps, async (deps) => {
    const { db } = deps;
    const lifted = channel === 'ALL' ? ['ALL', ...channels] : ['ALL', channel];
    const hash = erasedKey(deps.vault, accountId, digits);
    const rows = await deleteOptOuts(db, accountId, [digits, hash], lifted, { trial: null });
    const ofAll = rows.find((row) => row.channel === 'ALL');
    const others = ofAll && channel !== 'ALL' ? channels.filter((one) => one !== channel) : [];
    if (ofAll && others.length > 0) {
      const { source, text, trial } = ofAll;
      await insertOptOuts(
        db,
        accountId,
        others.map((channel) => ({ phone_number, digits, channel, source, text, trial })),
      );
    }
    const consent = { account_id: accountId, uuid: newId(), digits, phone_number, channel, source, text };
    await tell(db, deps, [consent], 'OPT_IN');
    return findOptOutEvent(db, accountId, consent.uuid);
  });
}

const channels = ['CHATAPP', 'SMS', 'VOICE'];

/** Opts out people who said so themselves. */
export async function heedOptOuts(deps: Deps, accountId: string, people: NewOptOut[], said: Said): Promise<void> {
  const trial = trialOf(deps, said) !== null;
  await optOutAll(
    deps,
    accountId,
    people.map((person) => ({ ...person, trial })),
  );
}

/**
 * Lets messages through again to people who said so themselves, on a channel. Those who were not out are none the wiser. What
 * is said on a carrier for trying things out does not lift what was said to a real one.
 */
export async function heedOptIns(
  deps: Deps,
  accountId: string,
  people: { digits: string; text: string }[],
  { channels, source, ...said }: Said & { channels: string[]; source: string },
): Promise<void> {
  if (people.length === 0) return;
  const texts = new Map(people.map(({ digits, text }) => [digits, text]));
  await within(deps, async (deps) => {
    const { db } = deps;
    // Somebody who was erased, and writes again, is known again.
    const byHash = new Map([...texts.keys()].map((digits) => [erasedKey(deps.vault, accountId, digits), digits]));
    const written = [...texts.keys(), ...byHash.keys()];
    const rows = await deleteOptOuts(db, accountId, written, channels, concernOf(deps, said));
    const told = rows.map((row) => {
      const digits = byHash.get(row.digits) ?? row.digits;
      return {
        ...row,
        digits,
        phone_number: row.phone_number || international(digits),
        source,
        text: texts.get(digits)!,
      };
    });
    await tell(db, deps, told, 'OPT_IN');
  });
}

/** People who opted out and wrote all the same: until when they may be answered. */
export async function allowAnswers(
  deps: Deps,
  accountId: string,
  writers: { digits: string; until: Date }[],
  said: Said,
): Promise<void> {
  if (writers.length === 0) return;
  const erased = writers.map(({ digits, until }) => ({ digits: erasedKey(deps.vault, accountId, digits), until }));
  await updateAnswerUntil(deps.db, accountId, [...writers, ...erased], concernOf(deps, said));
}

const concernOf = (deps: Deps, said: Said): Concern => ({ trial: trialOf(deps, said), before: said.before });

/** null: the carrier reaches real people. */
function trialOf({ carriers, config }: Deps, { carrier }: Said): Trial | null {
  // Through Asterisk every account can call.
  return carrier !== null && carriers.trials.has(carrier)
    ? { carriers: [...carriers.trials], reachesAll: config.ASTERISK_URL !== '' }
    : null;
}

type Told = Pick<OptOutRow, 'account_id' | 'uuid' | 'digits' | 'phone_number' | 'channel' | 'source' | 'text'>;

/** On the timeline, and to whoever listens. */
async function tell(db: Db, deps: Deps, rows: Told[], action: 'OPT_OUT' | 'OPT_IN'): Promise<void> {
  const changes = rows.map(({ account_id: accountId, uuid, digits, phone_number, channel, source, text }) => ({
    accountId,
    uuid,
    digits,
    data: { action, phone_number, channel, source, text },
  }));
  await appendEvents(
    db,
    changes.map(({ accountId, uuid, digits, data }) => ({
      accountId,
      subjectType: 'opt_out',
      subject: uuid,
      kind: 'optout.changed',
      data: { ...data, digits },
    })),
  );
  await announce(
    db,
    deps,
    changes.map(({ accountId, data }) => ({ accountId, type: 'optout.changed', data })),
  );
}
