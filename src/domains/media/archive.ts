import type { Archive } from '../../platform/db/past.ts';

/** Files that people sent go with their messages; the bytes follow with the next sweep. What an account uploaded stays. */
export const inboundMediaArchive: Archive = {
  tables: [{ name: 'media', key: 'message' }],
  isWhole: true,
};
