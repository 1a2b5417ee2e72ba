export {
  type ChatTarget,
  createLinks,
  deleteLinks,
  findIntrosOfCodes,
  findLinkAnyAccount,
  isLinked,
  type LinkRow,
  leadLink,
  type NewLink,
  spendLink,
  spendLinks,
} from './links.ts';
