export { campaignLogRows, exportColumns as campaignLogColumns } from './export.ts';
export { startCampaigns } from './feeder.ts';
export { findLog as findCampaignLog } from './log-queries.ts';
export { countReplies, findLaunchesOf, type Writer } from './replies.ts';
export { recipientRetention } from './retention.ts';
export { routes as campaignRoutes } from './routes.ts';
