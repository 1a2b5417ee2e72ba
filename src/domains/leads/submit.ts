import type { Deps } from '../../deps.ts';
import { ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import { resolveSenders } from '../chatapp-accounts/index.ts';
import { isLinked } from '../links/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { insertLead, type LeadRow } from './queries.ts';
import { type LeadSubmit, presentLead } from './schemas.ts';

/** Stores a person who showed interest. */
export async function submitLead(deps: Deps, accountId: string, request: LeadSubmit): Promise<LeadRow> {
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber: request.chatapp_number }]);
  if (!sender) throw new ValidationError({ chatapp_number: ['No chat-app account has this number.'] });
  if (request.chat_intro && !(await isLinked(deps.db, accountId, request.chat_intro))) {
    throw new ValidationError({ chat_intro: ['Not found.'] });
  }
  const read = await phoneReader(deps, accountId);
  return within(deps, async (deps) => {
    const { db } = deps;
    const lead = await insertLead(db, accountId, sender.uuid, { ...request, digits: read(request.phone_number) });
    await appendEvents(db, [
      {
        accountId,
        subjectType: 'lead',
        subject: lead.uuid,
        kind: 'lead.created',
        data: { phone_number: lead.phone_number, source: lead.source },
      },
    ]);
    await announce(db, deps, [{ accountId, type: 'chatapp.lead.created', data: presentLead(lead) }]);
    return lead;
  });
}
