export { eraseRecipient, isRecipientHeld } from './erase.ts';
export { campaignEvents } from './events.ts';
export { startCampaigns } from './feed/feeder.ts';
export { campaignLogRows, exportColumns as campaignLogColumns } from './logs/export.ts';
export { findLog as findCampaignLog } from './logs/queries.ts';
export { countReplies, findLaunchesOf, type Writer } from './logs/replies.ts';
export { recipientRetention } from './retention.ts';
export { routes as campaignRoutes } from './routes.ts';
