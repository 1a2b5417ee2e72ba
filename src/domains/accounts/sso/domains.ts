import { Resolver } from 'node:dns/promises';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { findAccount } from '../queries.ts';
import { deleteDomains, insertDomains, listDomains, type ProviderRow, verifyDomainRows } from './queries.ts';
import { domainRecord } from './schemas.ts';

/** The texts of the TXT records of a name; none: it has none. */
export type LookUpTexts = (name: string) => Promise<string[]>;

const timeoutMs = 3_000;

const lookUpTexts: LookUpTexts = async (name) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  const giveUp = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch {
    return [];
  } finally {
    clearTimeout(giveUp);
  }
};

/**
 * Gives a provider its domains. Whoever enters an address of a domain on the sign-in page is sent to its provider, so that a domain
 * must be shown to be the account's. The operator's own account is believed.
 */
export async function setDomains(
  deps: Deps,
  db: Db,
  { account_id, uuid }: ProviderRow,
  given: string[],
): Promise<void> {
  const wanted = new Set(given.map((domain) => domain.toLowerCase()));
  const known = await listDomains(db, account_id, [uuid]);
  const gone = known.filter(({ domain }) => !wanted.has(domain)).map(({ domain }) => domain);
  if (gone.length > 0) await deleteDomains(db, account_id, uuid, gone);
  const added = [...wanted].filter((domain) => !known.some((row) => row.domain === domain));
  const { operator } = await findAccount(db, account_id);
  const verified = operator ? timestamp(deps.clock.now()) : null;
  const rows = added.map((domain) => ({ account_id, provider_uuid: uuid, domain, verified }));
  await insertDomains(db, rows)?.catch(takenIfNotUnique);
}

/** Looks for the records of the domains that are not verified; 400 says of which there is none. */
export async function verifyDomains(
  deps: Deps,
  { account_id, uuid }: ProviderRow,
  lookUp: LookUpTexts = lookUpTexts,
): Promise<void> {
  const open = (await listDomains(deps.db, account_id, [uuid])).filter(({ verified }) => verified === null);
  const record = domainRecord(account_id);
  const found = await Promise.all(
    open.map(async ({ domain }) => ({ domain, texts: await lookUp(`_parley.${domain}`) })),
  );
  const isGood = ({ texts }: { texts: string[] }): boolean => texts.some((text) => text.trim() === record);
  const domains = found.filter(isGood).map(({ domain }) => domain);
  const at = timestamp(deps.clock.now());
  if (domains.length > 0) {
    await verifyDomainRows(deps.db, account_id, { provider: uuid, domains, at }).catch(takenIfNotUnique);
  }
  const missing = found.filter((one) => !isGood(one));
  if (missing.length === 0) return;
  throw new ValidationError({
    domains: missing.map(({ domain }) => `There is no TXT record ${record} at _parley.${domain}.`),
  });
}

function takenIfNotUnique(error: { code?: string }): never {
  if (error.code !== '23505') throw error;
  throw new ValidationError({ domains: ['One of these domains belongs to another provider of this server.'] });
}
