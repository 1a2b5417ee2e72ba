export { eraseLeads } from './erase.ts';
export { leadEvents } from './events.ts';
export { keepLeads } from './keep.ts';
export { leadRetention } from './retention.ts';
export { makeLeadRoutes } from './routes.ts';
export type { StartIntro } from './submit.ts';
