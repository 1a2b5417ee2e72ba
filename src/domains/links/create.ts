import type { Db } from '../../platform/db/connect/pool.ts';
import { newCode } from '../../platform/ids.ts';
import { insertLinks } from './queries.ts';

/** A link to be made. */
export type NewLink = NewChatLink | NewCampaignLink;

/** The intro's own, or one side's of a session. */
export interface NewChatLink {
  kind: 'INTRO' | 'BPARTY' | 'APARTY';
  chatIntro: string;
  session?: string;
  singleUse?: boolean;
  expires?: string;
  /** Left out: that is found out when it is opened. */
  leadsTo?: ChatTarget;
}

/** In a message of a campaign: it leads to the address that stood there, and tells who opened it. */
export interface NewCampaignLink {
  kind: 'CAMPAIGN';
  campaignLog: string;
  message: string;
  url: string;
  /** Those are of intros. */
  session?: never;
}

/** The chat that a link leads to: of a business's number, with a text to begin it. */
export interface ChatTarget {
  chatappAccount: string;
  number: string;
  text: string;
}

const codeLength = 10;
const mostRounds = 8;

/**
 * Makes links and answers their codes, in the order of the links. 28^10 codes make a collision rare, not impossible: links
 * whose code was taken get another one. `newShortcode` is there to be replaced by tests.
 */
export async function createLinks(
  db: Db,
  accountId: string,
  links: NewLink[],
  newShortcode: () => string = () => newCode(codeLength),
): Promise<string[]> {
  // Copies, so that two equal links are still two.
  const pending = new Set(links.map((link) => ({ ...link })));
  const codes = new Map<NewLink, string>([...pending].map((link) => [link, '']));
  for (let round = 0; pending.size > 0; round++) {
    // Only a broken source of randomness gets this far.
    if (round === mostRounds) throw new Error('No free short codes were found.');
    const wanted = new Map([...pending].map((link) => [newShortcode(), link]));
    for (const code of await insertLinks(db, accountId, wanted)) {
      const link = wanted.get(code)!;
      codes.set(link, code);
      pending.delete(link);
    }
  }
  return [...codes.values()];
}
