export { createLinks, type NewLink } from './create.ts';
export { findLinkAnyAccount, isLinked, type LinkRow, spendLink } from './queries.ts';
