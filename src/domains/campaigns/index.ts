export { startCampaigns } from './feed/feeder.ts';
export { campaignEvents } from './launches/transition.ts';
export { campaignLogRows, exportColumns as campaignLogColumns } from './logs/export.ts';
export { findLog as findCampaignLog } from './logs/queries.ts';
export { countReplies, findLaunchesOf, type Writer } from './logs/replies.ts';
export { eraseRecipient, isRecipientHeld, recipientRetention } from './retention.ts';
export { routes as campaignRoutes } from './routes.ts';
