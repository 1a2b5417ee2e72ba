import type { Carrier, CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { SmsLink } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { openSecrets } from '../../../platform/secrets.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { findSandboxModes, isUsable, type SandboxMode } from '../../accounts/index.ts';
import { adoptLinks, findLinkCarriers, findLinkRow, type LinkRow } from './queries.ts';

/** Tells the processes that keep links open that some changed. */
export const linkTopic = 'sms-links';
/** The caches of accounts' links, and of links with their secrets decrypted; to be forgotten when a link changes. */
const accountCache = 'sms-account-links';
const linkCache = 'sms-links';

/** What sending has to know of an account's links. */
export interface AccountLinks {
  /** The clock of the carrier that messages wait for. */
  clock: Clock;
  /** Whether messages reach real people. */
  isLive: boolean;
  /**
   * Whether SMS may only be sent from senders that the account registered: it is live, and does not adopt what nobody registered.
   */
  ownSendersOnly: boolean;
}

interface Known {
  uuid: string;
  carrier: string;
  sandbox: SandboxMode;
}

/**
 * The links of each of these accounts. An account without links is treated as if it had the one that it would get: see `adoptFor`.
 */
export async function findAccountLinks(deps: Deps, accountIds: string[]): Promise<Map<string, AccountLinks | null>> {
  const known = await knownLinks(deps, [...new Set(accountIds)]);
  const adopters = await findAdopters(deps, known);
  return new Map(
    [...known].map(([accountId, links]) => {
      const carriers =
        links.length > 0 ? links.map(({ carrier }) => findCarrier(deps, carrier)) : adopters.get(accountId);
      return [accountId, meaningOf(accountId, [carriers].flat(), links[0]?.sandbox ?? 'adopt')];
    }),
  );
}

/** The carriers of the links that accounts without any would get. */
async function findAdopters(deps: Deps, known: Map<string, Known[]>): Promise<Map<string, Carrier>> {
  const adopter = adopterOf(deps);
  const without = [...known].filter(([, links]) => links.length === 0).map(([accountId]) => accountId);
  if (without.length === 0 || !adopter) return new Map();
  const modes = await findSandboxModes(deps, without);
  return new Map(
    without.filter((accountId) => modes.get(accountId) === 'adopt').map((accountId) => [accountId, adopter]),
  );
}

/** null: the account has no link, and there is none that it could try. */
function meaningOf(accountId: string, carriers: (Carrier | undefined)[], mode: SandboxMode): AccountLinks | null {
  const live = carriers.find((carrier) => carrier && !carrier.adoptsUnknown);
  const carrier = live ?? carriers.find((one) => one !== undefined);
  if (!carrier) return null;
  const isLive = live !== undefined;
  return { clock: carrier.clock(accountId), isLive, ownSendersOnly: isLive || mode !== 'adopt' };
}

/** The carrier of a link; undefined if that is no longer configured. */
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
  const found = Map.groupBy(await findUsable(deps, unknown), (row) => row.account_id);
  for (const [accountId, links] of found) {
    known.set(accountId, links);
    cache.set(accountId, links, stamp);
  }
  return known;
}

/** The links of accounts, without those on a sandbox that the account does not use, or no longer uses. */
async function findUsable(deps: Deps, accountIds: string[]) {
  const rows = await findLinkCarriers(deps.db, accountIds);
  return rows.filter((row) => mayBeUsed(deps, row));
}

const mayBeUsed = (deps: Deps, link: { carrier: string; adopted: boolean; sandbox: SandboxMode }): boolean =>
  link.carrier !== adopterOf(deps)?.name || isUsable(link.sandbox, link);

/** The link of an account that has no other. */
export async function findOnlyLink(deps: Deps, accountId: string): Promise<Known | undefined> {
  const links = (await knownLinks(deps, [accountId])).get(accountId)!;
  return links.length === 1 ? links[0] : undefined;
}

/**
 * Gives accounts that have no link one to try things out, if a carrier offers that (the sandbox does) and the account allows it.
 */
export async function adoptFor(deps: Deps, accountIds: string[]): Promise<void> {
  const adopters = await findAdopters(deps, await knownLinks(deps, [...new Set(accountIds)]));
  const [adopter] = adopters.values();
  if (!adopter) return;
  await adoptLinks(deps.db, adopter.name, [...adopters.keys()]);
  forgetLinks(deps);
}

/**
 * The account's link of a carrier that needs no connection; it is adopted if there is none. `isAnswered`: the account's SMS leave
 * by that carrier alone, so that replies do, too.
 */
export async function findCarrierLink(
  deps: Deps,
  accountId: string,
  carrier: string,
): Promise<{ link: SmsLink; isAnswered: boolean } | undefined> {
  await adoptFor(deps, [accountId]);
  const links = await findLinkCarriers(deps.db, [accountId]);
  const inUse = links.filter((link) => link.enabled && mayBeUsed(deps, link));
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
    : 'Its password cannot be decrypted with this SECRET_KEY. Enter it again.';

/** To be called when links changed: whoever remembers them or keeps them open looks again. */
export function forgetLinks({ caches, listener }: Deps): void {
  caches.forget(accountCache);
  caches.forget(linkCache);
  listener.signal(linkTopic, '');
}
