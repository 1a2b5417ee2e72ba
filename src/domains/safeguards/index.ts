export { Feedback, FeedbackCreate, giveFeedback } from './feedback.ts';
export { heedSafeguards, mayAnswerHelp, noteRefusal } from './heed.ts';
export { makeIncidents, safeguardEvents } from './incidents.ts';
export { type ChannelPrices, policiesOf, priceListOf, senderKey } from './policy.ts';
export { eraseSafeguards, purgeSafeguardCountsAnyAccount } from './queries.ts';
export { routes as safeguardRoutes } from './routes.ts';
export type { Sending } from './rules.ts';
