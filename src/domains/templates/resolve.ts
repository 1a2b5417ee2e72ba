import type { Deps } from '../../deps.ts';
import { newId } from '../../platform/ids.ts';
import { adoptTemplates, findApproved } from './queries.ts';

/** A template that a message names, and where its language would come from if neither it nor the template says. */
export interface TemplateUse {
  accountId: string;
  chatappAccount: string;
  carrier: string;
  name: string;
  languageCode: string | undefined;
  defaultLanguageCode: string;
}

/**
 * The language each use is sent in: the request's, else the approved template's only language, else the default. undefined:
 * there is no approved template of that name and language, and the carrier does not take unknown ones into use.
 */
export async function findLanguages({ db, carriers }: Deps, uses: TemplateUse[]): Promise<(string | undefined)[]> {
  if (uses.length === 0) return [];
  const known = new Map<string, Set<string>>();
  for (const row of await findApproved(db, uses)) {
    const key = `${row.account_id} ${row.chatapp_account} ${row.name}`;
    known.set(key, (known.get(key) ?? new Set()).add(row.language_code));
  }
  const adopted = new Map<string, TemplateUse & { uuid: string; languageCode: string }>();
  const languages = uses.map((use) => {
    const approved = known.get(`${use.accountId} ${use.chatappAccount} ${use.name}`) ?? new Set();
    const only = approved.size === 1 ? [...approved][0] : undefined;
    const languageCode = use.languageCode ?? only ?? use.defaultLanguageCode;
    if (approved.has(languageCode)) return languageCode;
    if (!carriers.get(use.carrier).adoptsUnknown) return undefined;
    adopted.set(`${use.chatappAccount} ${use.name} ${languageCode}`, { ...use, uuid: newId(), languageCode });
    return languageCode;
  });
  if (adopted.size > 0) await adoptTemplates(db, [...adopted.values()]);
  return languages;
}
