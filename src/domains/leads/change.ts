import type { Deps } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { deleteLead, type LeadRow, updateLead } from './queries.ts';
import { type LeadPatch, presentLead } from './schemas.ts';

/** Changes the fields that the request names. */
export const patchLead = (deps: Deps, accountId: string, uuid: string, patch: LeadPatch): Promise<LeadRow> =>
  within(deps, async (deps) => {
    const row = await updateLead(deps.db, accountId, uuid, patch);
    if (!row) throw notFound();
    const data = { fields: Object.keys(patch), status: row.status, owner: row.owner };
    await appendEvents(deps.db, [{ accountId, subjectType: 'lead', subject: uuid, kind: 'lead.updated', data }]);
    await announce(deps.db, deps, [{ accountId, type: 'chatapp.lead.updated', data: presentLead(row) }]);
    return row;
  });

/** Removes a lead; the sessions and messages of the person stay. */
export const removeLead = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  within(deps, async (deps) => {
    if (!(await deleteLead(deps.db, accountId, uuid))) throw notFound();
    await appendEvents(deps.db, [{ accountId, subjectType: 'lead', subject: uuid, kind: 'lead.deleted', data: {} }]);
  });
