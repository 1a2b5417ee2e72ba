import type { Carrier, CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { SmsLink } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { openSecrets } from '../../../platform/secrets.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { adoptLinks, findLinkCarriers, findLinkRow, type LinkRow } from './queries.ts';

/** Tells those who hold links that some changed. */
export const linkTopic = 'sms-links';
/** The caches of accounts' links, and of links with their secrets opened; to be forgotten when one changes. */
const accountCache = 'sms-account-links';
const linkCache = 'sms-links';

/** What sending has to know of an account's links. */
export interface AccountLinks {
  /** By the time of which carrier messages wait. */
  clock: Clock;
  /** Whether messages reach real people: then senders must be the account's own. */
  isLive: boolean;
}

interface Known {
  uuid: string;
  carrier: string;
}

/** The links of each of these accounts. One that has none is treated as what it would get: see `adoptFor`. */
export async function findAccountLinks(deps: Deps, accountIds: string[]): Promise<Map<string, AccountLinks | null>> {
  const known = await knownLinks(deps, [...new Set(accountIds)]);
  const adopter = adopterOf(deps);
  return new Map(
    [...known].map(([accountId, links]) => {
      const carriers = links.length > 0 ? links.map(({ carrier }) => findCarrier(deps, carrier)) : adopter;
      return [accountId, meaningOf(accountId, [carriers].flat())];
    }),
  );
}

/** null: the account has no link, and there is none that it could try. */
function meaningOf(accountId: string, carriers: (Carrier | undefined)[]): AccountLinks | null {
  const live = carriers.find((carrier) => carrier && !carrier.adoptsUnknown);
  const carrier = live ?? carriers.find((one) => one !== undefined);
  return carrier ? { clock: carrier.clock(accountId), isLive: live !== undefined } : null;
}

/** A link may outlive its carrier's configuration. */
export const findCarrier = ({ carriers }: Pick<Deps, 'carriers'>, name: string): CarrierWith<'sms'> | undefined =>
  carriers.find(name, 'sms');

const adopterOf = ({ carriers }: Deps): Carrier | undefined =>
  carriers.all('sms').find(({ adoptsUnknown }) => adoptsUnknown);

async function knownLinks(deps: Deps, accountIds: string[]): Promise<Map<string, Known[]>> {
  const cache = deps.caches.of<Known[]>(accountCache);
  const known = new Map(accountIds.map((accountId) => [accountId, cache.get(accountId) ?? []]));
  const unknown = accountIds.filter((accountId) => known.get(accountId)!.length === 0);
  if (unknown.length === 0) return known;
  const stamp = cache.stamp();
  const found = Map.groupBy(await findLinkCarriers(deps.db, unknown), (row) => row.account_id);
  for (const [accountId, links] of found) {
    known.set(accountId, links);
    cache.set(accountId, links, stamp);
  }
  return known;
}

/** The link of an account that has no other. */
export async function findOnlyLink(deps: Deps, accountId: string): Promise<Known | undefined> {
  const links = (await knownLinks(deps, [accountId])).get(accountId)!;
  return links.length === 1 ? links[0] : undefined;
}

/** Accounts that have no link at all get one to try things out, where a carrier allows that (the sandbox does). */
export async function adoptFor(deps: Deps, accountIds: string[]): Promise<void> {
  const known = await knownLinks(deps, [...new Set(accountIds)]);
  const without = [...known].filter(([, links]) => links.length === 0).map(([accountId]) => accountId);
  const adopter = adopterOf(deps);
  if (without.length === 0 || !adopter) return;
  await adoptLinks(deps.db, adopter.name, without);
  forgetLinks(deps);
}

/**
 * The account's link of a carrier that needs no connection; adopted if it has none. `isAnswered`: SMS of the account leave by
 * that carrier, and by no other.
 */
export async function findCarrierLink(
  deps: Deps,
  accountId: string,
  carrier: string,
): Promise<{ link: SmsLink; isAnswered: boolean } | undefined> {
  await adoptFor(deps, [accountId]);
  const links = await findLinkCarriers(deps.db, [accountId]);
  const inUse = links.filter(({ enabled }) => enabled);
  const known = [...inUse, ...links].find((one) => one.carrier === carrier);
  const link = known && (await findLink(deps, accountId, known.uuid));
  return link && { link, isAnswered: inUse.length > 0 && inUse.every((one) => one.carrier === carrier) };
}

/** A link as its carrier needs it. */
export async function findLink(deps: Deps, accountId: string, uuid: string): Promise<SmsLink | undefined> {
  const cache = deps.caches.of<SmsLink>(linkCache);
  const remembered = cache.get(accountId + uuid);
  if (remembered) return remembered;
  const stamp = cache.stamp();
  const row = await findLinkRow(deps.db, accountId, uuid);
  if (!row) return undefined;
  const link = linkOf(deps, row);
  cache.set(accountId + uuid, link, stamp);
  return link;
}

export function linkOf({ vault }: Pick<Deps, 'vault'>, row: LinkRow): SmsLink {
  const { account_id: accountId, uuid, name, carrier, messages_per_second: messagesPerSecond, secrets } = row;
  const { values } = openSecrets(vault, secrets);
  return { accountId, uuid, name, carrier, messagesPerSecond, settings: { ...(row.settings as object), ...values } };
}

/** Why a link cannot be opened, though everything about it is there. */
export const secretProblem = ({ vault }: Pick<Deps, 'vault'>, { secrets }: LinkRow): string | undefined =>
  openSecrets(vault, secrets).isReadable
    ? undefined
    : 'Its password cannot be decrypted with this SECRET_KEY. Set it anew.';

/** To be called when links changed: whoever remembers or holds them looks again. */
export function forgetLinks({ caches, listener }: Deps): void {
  caches.forget(accountCache);
  caches.forget(linkCache);
  listener.signal(linkTopic, '');
}
