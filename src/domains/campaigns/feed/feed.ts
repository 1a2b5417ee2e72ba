import type { Deps } from '../../../deps.ts';
import { ApiError, type FieldErrors, sentenceOf, ValidationError } from '../../../platform/errors.ts';
import { audienceBatch } from '../../contacts/index.ts';
import { findOptedOutNow } from '../../optouts/index.ts';
import { addTallies } from '../../tallies/index.ts';
import {
  findContacts,
  findHeldDue,
  findKnown,
  insertRecipients,
  type RecipientRow,
  updateRecipients,
} from '../audience/queries.ts';
import type { LogRow } from '../logs/queries.ts';
import { channels, type Outgoing } from './channels.ts';
import { makeComposer, requestOf } from './compose.ts';
import { type Candidate, type Draft, decide, findAllowed, skipped } from './decide.ts';
import { trackLinks } from './track-links.ts';

/** The people whom a step takes next, and where the launch stands after it. */
export interface Portion {
  candidates: Candidate[];
  /** They were held until now, so the launch has rows of them already. */
  wereHeld: boolean;
  cursor: string | null;
  isExpanded: boolean;
}

/** How often a step may look for further rows of lists when hardly any of them belong to the audience. */
const mostLooks = 10;

/** Those whose quiet hours are over come first; then the audience, along the ids of the contacts. */
export async function nextPortion({ db }: Pick<Deps, 'db'>, log: LogRow, now: Date, most: number): Promise<Portion> {
  const { account_id, cursor, is_expanded: isExpanded } = log;
  const held = await findHeldDue(db, log, now, most);
  if (held.length > 0) {
    const uuids = held.map(({ contact }) => contact);
    const contacts = new Map((await findContacts(db, account_id, uuids)).map((contact) => [contact.uuid, contact]));
    const candidates = held.map((one) => ({
      contactId: one.contact,
      digits: one.digits,
      contact: contacts.get(one.contact),
    }));
    return { candidates, wereHeld: true, cursor, isExpanded };
  }
  const portion: Portion = { candidates: [], wereHeld: false, cursor, isExpanded };
  for (let look = 0; look < mostLooks && !portion.isExpanded && portion.candidates.length === 0; look++) {
    await lookOn(portion, { db }, log, most);
  }
  return portion;
}

async function lookOn(portion: Portion, { db }: Pick<Deps, 'db'>, log: LogRow, most: number): Promise<void> {
  const { lists, excluded_lists: excludedLists, segment = [] } = log.snapshot;
  const at = log.audience_at!;
  const limit = Math.max(most, 200);
  const { members, next } = await audienceBatch(db, log.account_id, {
    lists,
    excludedLists,
    segment,
    at,
    after: portion.cursor,
    limit,
  });
  const taken = members.slice(0, most);
  portion.candidates = taken.map((member) =>
    member.deleted
      ? { contactId: member.uuid, digits: undefined, contact: undefined }
      : { contactId: member.uuid, digits: member.digits, contact: member },
  );
  const isAll = taken.length === members.length;
  portion.isExpanded = isAll && next === null;
  portion.cursor = isAll ? next : taken.at(-1)!.uuid;
}

/** Decides on everybody of a portion, sends what is to be sent, and notes and counts what became of each. */
export async function feed(deps: Deps, log: LogRow, now: Date, portion: Portion): Promise<RecipientRow[]> {
  const { db } = deps;
  const { account_id: accountId, uuid: subject, snapshot } = log;
  const { candidates, wereHeld } = portion;
  if (candidates.length === 0) return [];
  const digits = candidates.flatMap((candidate) => candidate.digits ?? []);
  const known = wereHeld ? new Set<string>() : await findKnown(db, log, digits);
  const recipients = digits.map((one) => ({ accountId, digits: one }));
  const optedOut = await findOptedOutNow(deps, recipients, snapshot.channel);
  const circumstances = {
    now,
    allowed: (await findAllowed(deps, accountId, snapshot)).allowed,
    known,
    optedOut: new Set([...optedOut].map((one) => one.digits)),
    compose: makeComposer(snapshot),
  };
  const decisions = candidates.map((candidate) => {
    const decision = decide(candidate, circumstances);
    if (candidate.digits !== undefined) known.add(candidate.digits);
    return decision;
  });
  const drafts = decisions.filter((decision): decision is Draft => 'content' in decision);
  const settled = decisions.filter((decision): decision is RecipientRow => !('content' in decision));
  const rows = [...settled, ...(await sendDrafts(deps, log, drafts))];
  await (wereHeld ? updateRecipients : insertRecipients)(db, log, rows);
  const counted = rows.map((row) => ({ accountId, subject, name: tallyOf(row), count: 1 }));
  const uncounted = wereHeld ? [{ accountId, subject, name: 'held', count: -rows.length }] : [];
  await addTallies(db, [...counted, ...uncounted]);
  return rows;
}

/** Under which name a recipient is counted; skipped ones by their reason. */
function tallyOf({ state, reason }: RecipientRow): string {
  if (state !== 'SKIPPED') return state.toLowerCase();
  return reason === 'opted_out' ? reason : `skipped_${reason}`;
}

/** The launch cannot go on with anybody: it has to be paused, and the step is rolled back. */
export class Unsendable extends Error {
  override name = 'Unsendable';
}

/** Sends the drafts; answers what became of each. A message that is refused for reasons of its own is skipped. */
async function sendDrafts(deps: Deps, log: LogRow, drafts: Draft[]): Promise<RecipientRow[]> {
  const { account_id, uuid: campaignLog, snapshot } = log;
  if (snapshot.track_links) await trackLinks(deps, account_id, campaignLog, drafts);
  const rows: RecipientRow[] = [];
  const outgoing: (Outgoing & { draft: Draft })[] = [];
  for (const draft of drafts) {
    const made = requestOf(snapshot, draft.content, draft.to);
    if ('problem' in made) rows.push(skipped(draft.candidate, 'invalid', made.problem));
    else outgoing.push({ uuid: draft.uuid, request: made.request, draft });
  }
  if (outgoing.length === 0) return rows;
  const results = await channels[snapshot.channel].send(deps, account_id, campaignLog, outgoing);
  outgoing.forEach(({ draft: { uuid, candidate } }, index) => {
    const result = results[index]!;
    if (result.status === 'rejected') rows.push(refused(candidate, result.reason));
    else rows.push({ ...skipped(candidate, ''), state: 'QUEUED', message: uuid });
  });
  return rows;
}

function refused(candidate: Draft['candidate'], reason: unknown): RecipientRow {
  if (reason instanceof ApiError) {
    if (reason.code === 'sending_cap_reached') throw new Unsendable(reason.message);
    const word = reason.code === 'recipient_opted_out' ? 'opted_out' : reason.code;
    return skipped(candidate, word, reason.message);
  }
  if (!(reason instanceof ValidationError)) throw reason;
  const sentence = sentenceOf(reason.errors);
  if (concernsAll(reason.errors as FieldErrors)) throw new Unsendable(sentence);
  return skipped(candidate, 'invalid', sentence);
}

/** The sender is gone, the template is not approved, the account has no link: the next recipient would fare no better. */
const concernsAll = (errors: FieldErrors): boolean =>
  'chatapp_number' in errors ||
  'from' in errors ||
  'non_field_errors' in errors ||
  'template_name' in ((errors['template'] as FieldErrors | undefined) ?? {});
