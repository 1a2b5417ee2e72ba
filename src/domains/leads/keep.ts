import type { Deps } from '../../deps.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { type LeadRow, type NewLead, upsertLeads } from './queries.ts';
import { presentLead } from './schemas.ts';

/** Keeps people as leads, in the caller's transaction. A person and an intro are one lead, which is brought up to date. */
export async function keepLeads(deps: Deps, accountId: string, leads: NewLead[]): Promise<LeadRow[]> {
  if (leads.length === 0) return [];
  const rows = await upsertLeads(deps.db, accountId, leads);
  await appendEvents(
    deps.db,
    rows.map(({ uuid, isNew, chat_intro, phone_number, source }) => ({
      accountId,
      subjectType: 'lead',
      subject: uuid,
      kind: isNew ? 'lead.created' : 'lead.updated',
      data: { chat_intro, phone_number, source },
    })),
  );
  await announce(
    deps.db,
    deps,
    rows.map((row) => ({
      accountId,
      type: row.isNew ? 'chatapp.lead.created' : 'chatapp.lead.updated',
      data: presentLead(row),
    })),
  );
  return rows;
}
