import type { Deps } from '../../deps.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { type IntroducedLead, upsertLeads } from './queries.ts';
import { presentLead } from './schemas.ts';

/** Keeps the leads that intros bring, in the caller's transaction. */
export async function introduceLeads(deps: Deps, accountId: string, leads: IntroducedLead[]): Promise<void> {
  if (leads.length === 0) return;
  const rows = await upsertLeads(deps.db, accountId, leads);
  await appendEvents(
    deps.db,
    rows.map(({ uuid, isNew, chat_intro }) => ({
      accountId,
      subjectType: 'lead',
      subject: uuid,
      kind: isNew ? 'lead.created' : 'lead.updated',
      data: { chat_intro },
    })),
  );
  await announce(
    deps.db,
    deps,
    rows
      .filter(({ isNew }) => isNew)
      .map((row) => ({ accountId, type: 'chatapp.lead.created', data: presentLead(row) })),
  );
}
