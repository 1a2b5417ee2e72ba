import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { checkCampaign } from './check.ts';
import { isOver } from './launches/states.ts';
import {
  type CampaignRow,
  deleteCampaign as deleteRow,
  findCampaign,
  insertCampaign,
  lockCampaign,
  updateCampaign as updateRow,
} from './queries.ts';
import { type CampaignCreate, type CampaignPatch, fieldsOf, withDefaults } from './schemas.ts';

export const createCampaign = (deps: Deps, accountId: string, request: CampaignCreate): Promise<CampaignRow> =>
  inTransaction(deps.db, async (db) => {
    const fields = withDefaults(request);
    await checkCampaign({ ...deps, db }, accountId, fields);
    return (await findCampaign(db, accountId, await insertCampaign(db, accountId, fields)))!;
  });

/** Changes a campaign; a launch that is under way goes on as it was. */
export const updateCampaign = (
  deps: Deps,
  accountId: string,
  uuid: string,
  change: CampaignPatch,
): Promise<CampaignRow> =>
  inTransaction(deps.db, async (db) => {
    const before = await lockCampaign(db, accountId, uuid);
    if (!before) throw notFound();
    const fields = { ...fieldsOf(before), ...change };
    await checkCampaign({ ...deps, db }, accountId, fields);
    await updateRow(db, accountId, uuid, fields);
    return (await findCampaign(db, accountId, uuid))!;
  });

/** Its launches stay. */
export const deleteCampaign = ({ db }: Deps, accountId: string, uuid: string): Promise<void> =>
  inTransaction(db, async (db) => {
    const campaign = await lockCampaign(db, accountId, uuid);
    if (!campaign) throw notFound();
    if (campaign.status && !isOver(campaign.status)) throw new ApiError('campaign_running');
    await deleteRow(db, accountId, uuid);
  });
