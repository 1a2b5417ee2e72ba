import type { Deps } from '../../deps.ts';
import { findKeywordSettings } from './queries.ts';

/** What an account adds to the opt-out keywords. */
export interface KeywordSettings {
  /** In capitals. */
  optOutKeywords: ReadonlySet<string>;
  /** The answer to HELP; null: it has none. */
  helpText: string | null;
}

/** The cache of these; all is forgotten when an account changes. */
const keywordCache = 'keyword-settings';

/** Usually costs no query, and may be a moment behind. */
export async function keywordSettings(
  { db, caches }: Pick<Deps, 'db' | 'caches'>,
  accountId: string,
): Promise<KeywordSettings> {
  const cache = caches.of<KeywordSettings>(keywordCache);
  const remembered = cache.get(accountId);
  if (remembered) return remembered;
  const stamp = cache.stamp();
  const { opt_out_keywords, help_text } = await findKeywordSettings(db, accountId);
  const settings = {
    optOutKeywords: new Set(opt_out_keywords.map((word) => word.trim().replace(/\s+/g, ' ').toUpperCase())),
    helpText: help_text,
  };
  cache.set(accountId, settings, stamp);
  return settings;
}
