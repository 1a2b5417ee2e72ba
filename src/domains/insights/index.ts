import { goLiveRoute } from './go-live.ts';
import { ledgerRoute, routes } from './routes.ts';

export { nextDigest } from './digest.ts';
export { eraseWatches } from './queries.ts';
export { type Heard, noticeInbound, startInsights } from './watch.ts';
export const insightRoutes = [ledgerRoute, goLiveRoute, ...routes];
export { insightEvents } from './schemas.ts';
