export { eraseLeads, leadRetention } from './retention.ts';
export { makeLeadRoutes } from './routes.ts';
export { leadEvents } from './schemas.ts';
export type { StartIntro } from './submit.ts';
export { keepLeads } from './submit.ts';
