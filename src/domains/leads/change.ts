import type { Deps } from '../../deps.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { eachOnce, type ManyResult, manyResult } from '../../platform/http/openapi/models.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { deleteLeads, type LeadRow, updateLeads } from './queries.ts';
import { type LeadPatch, type LeadsPatch, presentLead } from './schemas.ts';

/** Changes the fields that the request names. */
export async function patchLead(deps: Deps, accountId: string, uuid: string, patch: LeadPatch): Promise<LeadRow> {
  const [row] = await changeAll(deps, accountId, [uuid], patch);
  if (!row) throw notFound();
  return row;
}

/** The same of many leads; those that are not there are named in the answer. */
export async function patchLeads(deps: Deps, accountId: string, { leads, ...patch }: LeadsPatch): Promise<ManyResult> {
  if (Object.keys(patch).length === 0) throw new ValidationError({ non_field_errors: ['Enter a status or an owner.'] });
  const asked = eachOnce(leads);
  const rows = await changeAll(deps, accountId, asked, patch);
  return manyResult(
    asked,
    rows.map(({ uuid }) => uuid),
  );
}

const changeAll = (deps: Deps, accountId: string, uuids: string[], patch: LeadPatch): Promise<LeadRow[]> =>
  within(deps, async (deps) => {
    const rows = await updateLeads(deps.db, accountId, uuids, patch);
    const fields = Object.keys(patch);
    await appendEvents(
      deps.db,
      rows.map(({ uuid, status, owner }) => ({
        accountId,
        subjectType: 'lead',
        subject: uuid,
        kind: 'lead.updated',
        data: { fields, status, owner },
      })),
    );
    await announce(
      deps.db,
      deps,
      rows.map((row) => ({ accountId, type: 'chatapp.lead.updated', data: presentLead(row) })),
    );
    return rows;
  });

/** Removes a lead; the sessions and messages of the person stay. */
export async function removeLead(deps: Deps, accountId: string, uuid: string): Promise<void> {
  const { done } = await removeLeads(deps, accountId, [uuid]);
  if (done === 0) throw notFound();
}

export const removeLeads = (deps: Deps, accountId: string, uuids: string[]): Promise<ManyResult> =>
  within(deps, async (deps) => {
    const asked = eachOnce(uuids);
    const gone = await deleteLeads(deps.db, accountId, asked);
    await appendEvents(
      deps.db,
      gone.map((subject) => ({ accountId, subjectType: 'lead', subject, kind: 'lead.deleted', data: {} })),
    );
    return manyResult(asked, gone);
  });
