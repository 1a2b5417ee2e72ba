export { carrierIdsOf, findMediaErrors, type MediaUse } from './attach.ts';
export type { InboundFile } from './inbound.ts';
export { inboundMediaUrl, noteInbound, tasks as mediaTasks } from './inbound.ts';
export type { MediaType } from './media-types.ts';
export { forgetUploads } from './queries.ts';
export { forgetFilesOf, inboundMediaRetention } from './retention.ts';
export { routes as mediaRoutes } from './routes.ts';
