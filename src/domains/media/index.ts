export { carrierIdsOf } from './carrier-ids.ts';
export { inboundMediaUrl, noteInbound } from './inbound.ts';
export type { InboundFile } from './inbound-queries.ts';
export { findMediaErrors, type MediaUse } from './kinds/check.ts';
export type { MediaType } from './kinds/types.ts';
export { forgetUploads } from './queries.ts';
export { routes as mediaRoutes } from './routes.ts';
export { inboundMediaRetention } from './sweep/retention.ts';
export { tasks as mediaTasks } from './tasks.ts';
