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

/** The memory of approved languages by template; to be forgotten when a template changes. */
export const templateMemory = 'templates';

/**
 * The language each use is sent in: the request's, else the approved template's only language, else the default. undefined:
 * there is no approved template of that name and language, and the carrier does not take unknown ones into use.
 */
export async function findLanguages(deps: Deps, uses: TemplateUse[]): Promise<(string | undefined)[]> {
  const approved = await approvedLanguages(deps, uses);
  const unknown = new Map<string, TemplateUse & { uuid: string; languageCode: string }>();
  const languages = uses.map((use, index) => {
    const known = approved[index]!;
    const only = known.size === 1 ? [...known][0] : undefined;
    const languageCode = use.languageCode ?? only ?? use.defaultLanguageCode;
    if (known.has(languageCode)) return languageCode;
    if (!deps.carriers.get(use.carrier).adoptsUnknown) return undefined;
    unknown.set(keyOf(use) + languageCode, { ...use, uuid: newId(), languageCode });
    return languageCode;
  });
  if (unknown.size > 0) {
    await adoptTemplates(deps.db, [...unknown.values()]);
    deps.memories.forget(templateMemory);
  }
  return languages;
}

/** The languages in which each template is approved. */
async function approvedLanguages({ db, memories }: Deps, uses: TemplateUse[]): Promise<Set<string>[]> {
  const memory = memories.of<Set<string>>(templateMemory);
  const keys = uses.map(keyOf);
  const remembered = keys.map((key) => memory.get(key));
  if (remembered.every((languages) => languages !== undefined)) return remembered;
  const stamp = memory.stamp();
  const found = new Map(keys.map((key) => [key, new Set<string>()]));
  for (const row of await findApproved(db, uses)) {
    found.get(keyOf({ chatappAccount: row.chatapp_account, name: row.name }))?.add(row.language_code);
  }
  for (const [key, languages] of found) memory.set(key, languages, stamp);
  return keys.map((key) => found.get(key)!);
}

const keyOf = ({ chatappAccount, name }: { chatappAccount: string; name: string }): string => chatappAccount + name;
