import { goLiveRoute } from './go-live.ts';
import { ledgerRoute } from './ledger.ts';
import { routes } from './routes.ts';

export { nextDigest } from './digest-times.ts';
export { eraseWatches } from './erase.ts';
export { startInsights } from './look.ts';
export { type Heard, noticeInbound } from './notice.ts';
export const insightRoutes = [ledgerRoute, goLiveRoute, ...routes];
export { insightEvents } from './events.ts';
