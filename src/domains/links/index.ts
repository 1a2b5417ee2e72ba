export { type ChatTarget, createLinks, type NewLink } from './create.ts';
export { findLinkAnyAccount, isLinked, type LinkRow, leadLink, spendLink, spendLinks } from './queries.ts';
