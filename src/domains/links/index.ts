export { type ChatTarget, createLinks, type NewLink } from './create.ts';
export { deleteLinks } from './erase.ts';
export {
  findIntrosOfCodes,
  findLinkAnyAccount,
  isLinked,
  type LinkRow,
  leadLink,
  spendLink,
  spendLinks,
} from './queries.ts';
