import type { Deps } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import { templateCache } from '../fill/resolve.ts';
import type { TemplateRow } from '../queries.ts';
import { tellChanges } from '../tell.ts';
import { lockMatching, reasonOf, updateFromEvents } from './queries.ts';

/** What a carrier reports about a template; only what changed is named. */
export interface TemplateEvent {
  /** The chat-app accounts it may belong to: those of one business account share their templates. */
  chatappAccounts: string[];
  id: string;
  name: string;
  languageCode: string;
  status?: string | undefined;
  reason?: string | undefined;
  quality?: string | undefined;
  category?: string | undefined;
}

/** The part of a template that events change. */
export type Standing = Pick<
  TemplateRow,
  | 'uuid'
  | 'chatapp_account'
  | 'name'
  | 'language_code'
  | 'carrier_template_id'
  | 'status'
  | 'quality'
  | 'category'
  | 'rejected_reason'
  | 'todo'
  | 'edited'
>;

/**
 * Applies what carriers report, in whatever order it comes. A template that is not known here has its sender's templates
 * fetched: somebody made it at the platform.
 */
export async function applyTemplateEvents(deps: Deps, accountId: string, events: TemplateEvent[]): Promise<void> {
  if (events.length === 0) return;
  const normal = events.map((event) => ({ ...event, languageCode: event.languageCode.replaceAll('-', '_') }));
  await within(deps, async (deps) => {
    const { db } = deps;
    const before = await lockMatching(db, accountId, normal);
    const { after, unknown } = applyAll(before, normal);
    const old = new Map(before.map((row) => [row.uuid, row]));
    const changed = after.filter((row) => row !== old.get(row.uuid));
    await updateFromEvents(db, accountId, changed);
    await tellChanges(
      db,
      deps,
      accountId,
      changed.map((row) => ({ uuid: row.uuid, kind: 'template.changed', announced: isNews(row, old.get(row.uuid)!) })),
    );
    await deps.queue.enqueue(
      db,
      'templates.sync',
      [...unknown].map((chatappAccount) => ({ accountId, chatappAccount })),
    );
  });
  deps.caches.forget(templateCache);
}

const isNews = (row: Standing, old: Standing): boolean => row.status !== old.status || row.quality !== old.quality;

/** Where everything stands after the events, and the senders that one of them spoke of in vain. */
function applyAll(before: Standing[], events: TemplateEvent[]): { after: Standing[]; unknown: Set<string> } {
  const after = before.slice();
  const unknown = new Set<string>();
  for (const event of events) {
    for (const chatappAccount of event.chatappAccounts) {
      const place = findPlace(after, chatappAccount, event);
      if (place >= 0) after[place] = apply(after[place]!, event);
      else if (!isEnd(event.status)) unknown.add(chatappAccount);
    }
  }
  return { after, unknown };
}

/** By the carrier's id, else by name and language if the carrier's id is not known yet. */
function findPlace(rows: Standing[], chatappAccount: string, { id, name, languageCode }: TemplateEvent): number {
  const own = (row: Standing) => row.chatapp_account === chatappAccount;
  const byId = rows.findIndex((row) => own(row) && row.carrier_template_id === id);
  if (byId >= 0) return byId;
  return rows.findIndex(
    (row) =>
      own(row) &&
      row.carrier_template_id === null &&
      row.name === name &&
      row.language_code === languageCode &&
      !isEnd(row.status),
  );
}

/** The same row when nothing is different. */
function apply(row: Standing, event: TemplateEvent): Standing {
  // Gone for the API: what is still said about it concerns nobody.
  if (row.todo === 'DELETE') return row;
  const status = nextStatus(row.status, event.status);
  const isDecided = status !== row.status;
  const isFirst = row.carrier_template_id === null && row.edited.length === 0;
  const next: Standing = {
    ...row,
    status,
    quality: event.quality ?? row.quality,
    category: event.category ?? row.category,
    rejected_reason: isDecided ? reasonOf(event.reason ?? '') : row.rejected_reason,
    carrier_template_id: event.id,
    // That the carrier speaks of it proves that the submission arrived, should its answer have been lost.
    todo: isFirst ? null : row.todo,
  };
  const isSame = (Object.keys(next) as (keyof Standing)[]).every((field) => next[field] === row[field]);
  return isSame ? row : next;
}

const isEnd = (status: string | undefined): boolean => status === 'DELETED' || status === 'PENDING_DELETION';

/** Events come late and in any order: none takes a decision back to PENDING, and the end is the end. */
function nextStatus(now: string, told: string | undefined): string {
  if (told === undefined || told === 'PENDING' || now === 'DELETED') return now;
  if (isEnd(now)) return told === 'DELETED' ? told : now;
  return told === 'REINSTATED' || told === 'UNARCHIVED' ? 'APPROVED' : told;
}
