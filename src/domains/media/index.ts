export { carrierIdsOf } from './carrier-ids.ts';
export { findMediaErrors, type MediaUse } from './check.ts';
export { inboundMediaUrl, noteInbound } from './inbound.ts';
export type { InboundFile } from './inbound-queries.ts';
export { inboundMediaRetention } from './retention.ts';
export { routes as mediaRoutes } from './routes.ts';
export { tasks as mediaTasks } from './tasks.ts';
export type { MediaType } from './types.ts';
