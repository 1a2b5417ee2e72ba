import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce, type EventData } from '../webhooks/index.ts';
import { findTemplates, type TemplateRow } from './queries.ts';
import { MessageTemplate, presentTemplate, subjectType } from './schemas.ts';

interface Change {
  uuid: string;
  /** `template.created`, `.edited`, `.changed`, `.deleted` */
  kind: string;
  /** Whether webhooks are to hear of it: its status or quality is another. */
  announced: boolean;
}

/** Puts changes that were just written on the timeline, and before webhooks those that they want to hear of. */
export async function tellChanges(db: Db, deps: Deps, accountId: string, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  const uuids = changes.map(({ uuid }) => uuid);
  const rows = new Map((await findTemplates(db, accountId, uuids)).map((row) => [row.uuid, row]));
  const told = changes.map((change) => ({ ...change, row: rows.get(change.uuid)! }));
  await appendEvents(
    db,
    told.map(({ kind, row }) => ({ accountId, subjectType, subject: row.uuid, kind, data: summaryOf(row) })),
  );
  await announce(
    db,
    deps,
    told
      .filter(({ announced }) => announced)
      .map(({ row }) => ({ accountId, type: 'chatapp.template.status' as const, data: presentTemplate(row) })),
  );
}

const summaryOf = ({ status, quality, category, rejected_reason }: TemplateRow) => ({
  status,
  quality,
  category,
  rejected_reason,
});

export const templateEvents = { 'chatapp.template.status': MessageTemplate } satisfies EventData;
