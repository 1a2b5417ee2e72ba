export { type Media, type MediaOptions, makeMedia, PortsExhausted } from './media.ts';
export type { MediaSession, MediaStats, Remote } from './media-session.ts';
