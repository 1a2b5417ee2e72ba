import { Type } from 'typebox';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { campaignLogColumns, campaignLogRows, findCampaignLog } from '../../campaigns/index.ts';
import { exportKind } from '../files/export.ts';

/** Writes what became of each recipient of a launch into a file. */
export const campaignLogsExport = exportKind({
  type: 'campaign_logs.export',
  scope: 'campaigns:read',
  Input: Type.Object({ campaign_log: Uuid('The launch.') }, { title: 'CampaignLogsExportInput' }),
  check: async ({ db }, accountId, { campaign_log }) =>
    (await findCampaignLog(db, accountId, campaign_log))
      ? undefined
      : { campaign_log: [`Invalid pk "${campaign_log}" - object does not exist.`] },
  columns: campaignLogColumns,
  rows: ({ db }, accountId, { campaign_log }) => campaignLogRows(db, accountId, campaign_log),
});
