export { createLinks, type NewLink } from './create.ts';
export { findLinkAnyAccount, type LinkRow } from './queries.ts';
