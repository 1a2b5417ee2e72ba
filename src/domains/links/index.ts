export { type ChatTarget, createLinks, type NewLink } from './create.ts';
export { deleteLinks } from './erase.ts';
export { findLinkAnyAccount, isLinked, type LinkRow, leadLink, spendLink, spendLinks } from './queries.ts';
