export {
  type ChatTarget,
  createLinks,
  deleteLinks,
  findIntrosOfCodes,
  findLinkAnyAccount,
  isLinked,
  type LinkRow,
  leadLink,
  linksOfSessions,
  type NewLink,
  spendLink,
  spendLinks,
} from './links.ts';
