import type { Deps } from '../../../deps.ts';
import { newId } from '../../../platform/ids.ts';
import { findSandboxModes } from '../../accounts/index.ts';
import { adoptTemplates, findApproved } from '../queries.ts';

/** A template that a message names, and where its language would come from if neither it nor the template says. */
export interface TemplateUse {
  accountId: string;
  chatappAccount: string;
  carrier: string;
  name: string;
  languageCode: string | undefined;
  defaultLanguageCode: string;
}

/** What a use comes to. The category is null where nobody said. */
export interface ResolvedTemplate {
  languageCode: string;
  category: string | null;
  /** As they were approved; none where only the name is known. */
  components: object[];
}

/** The cache of approved languages by template; to be forgotten when a template changes. */
export const templateCache = 'templates';

/** A template by the languages in which it is approved. */
type Approved = Map<string, Omit<ResolvedTemplate, 'languageCode'>>;

/**
 * The language each use is sent in: the request's, else the approved template's only language, else the default. undefined:
 * there is no approved template of that name and language, and the carrier or the account does not take unknown ones into use.
 */
export async function findLanguages(deps: Deps, uses: TemplateUse[]): Promise<(ResolvedTemplate | undefined)[]> {
  const approved = await approvedLanguages(deps, uses);
  const modes = await findSandboxModes(deps, [...new Set(uses.map(({ accountId }) => accountId))]);
  const unknown = new Map<string, TemplateUse & { uuid: string; languageCode: string }>();
  const resolved = uses.map((use, index) => {
    const known = approved[index]!;
    const only = known.size === 1 ? [...known.keys()][0] : undefined;
    const languageCode = use.languageCode ?? only ?? use.defaultLanguageCode;
    const variant = known.get(languageCode);
    if (variant) return { languageCode, ...variant };
    if (!deps.carriers.get(use.carrier).adoptsUnknown || modes.get(use.accountId) !== 'adopt') return undefined;
    unknown.set(keyOf(use) + languageCode, { ...use, uuid: newId(), languageCode });
    return { languageCode, category: null, components: [] };
  });
  if (unknown.size > 0) {
    await adoptTemplates(deps.db, [...unknown.values()]);
    deps.caches.forget(templateCache);
  }
  return resolved;
}

/** The languages in which each template is approved. */
async function approvedLanguages({ db, caches }: Deps, uses: TemplateUse[]): Promise<Approved[]> {
  const cache = caches.of<Approved>(templateCache);
  const keys = uses.map(keyOf);
  const remembered = keys.map((key) => cache.get(key));
  if (remembered.every((languages) => languages !== undefined)) return remembered;
  const stamp = cache.stamp();
  const found = new Map(keys.map((key): [string, Approved] => [key, new Map()]));
  for (const { chatapp_account: chatappAccount, name, language_code, category, components } of await findApproved(
    db,
    uses,
  )) {
    found.get(keyOf({ chatappAccount, name }))?.set(language_code, { category, components });
  }
  for (const [key, languages] of found) cache.set(key, languages, stamp);
  return keys.map((key) => found.get(key)!);
}

const keyOf = ({ chatappAccount, name }: { chatappAccount: string; name: string }): string => chatappAccount + name;
