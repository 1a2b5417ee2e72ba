import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { Deps } from '../../deps.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { findKeywords } from '../../platform/text/keywords.ts';
import { findAccount } from '../accounts/index.ts';
import { findAgents, findSkilled, isAvailable, skillKey } from '../agents/index.ts';
import { availabilityKey, type Choice, choose, type Facts } from './choose.ts';
import { findChannels, findDeciding, findListsOf } from './queries.ts';
import { type Channel, type ConfigFields, fieldsOf } from './schemas.ts';

/** A call or a message that wants to know where to go. */
export interface Inquiry {
  /** Which of the account's numbers was called or written to. */
  number: string;
  /** '' where they withheld it. */
  from: string;
  at: Date;
  text?: string;
  /** Entered by the caller. */
  digits?: string;
  /** From 0 to just below 1; left out: a new one. */
  random?: number;
}

export interface Decision extends Choice {
  config: string;
  fields: ConfigFields;
}

/** The cache of the channels that accounts have configs for; to be forgotten when one changes. */
export const routingCache = 'routing';

/** Whether an account has an enabled config for a channel at all. May be a moment behind, and usually costs no query. */
export async function hasRouting({ db, caches }: Pick<Deps, 'db' | 'caches'>, accountId: string, channel: Channel) {
  const cache = caches.of<Set<string>>(routingCache);
  const remembered = cache.get(accountId);
  if (remembered) return remembered.has(channel);
  const stamp = cache.stamp();
  const known = await findChannels(db, accountId);
  cache.set(accountId, known, stamp);
  return known.has(channel);
}

/** Whether a rule of the number waits for a word of this text. */
export async function expectsWords(
  deps: Pick<Deps, 'db' | 'caches'>,
  accountId: string,
  channel: Channel,
  { number, text }: { number: string; text: string },
): Promise<boolean> {
  if (!(await hasRouting(deps, accountId, channel))) return false;
  const row = await findDeciding(deps.db, accountId, channel, phoneDigits(number));
  const wanted = row ? fieldsOf(row).routes.flatMap(({ conditions }) => conditions?.keywords ?? []) : [];
  return wanted.length > 0 && findKeywords(text, wanted).length > 0;
}

/** What the config of the number says; undefined: there is none. */
export async function decide(
  deps: Pick<Deps, 'db'>,
  accountId: string,
  channel: Channel,
  inquiry: Inquiry,
): Promise<Decision | undefined> {
  const row = await findDeciding(deps.db, accountId, channel, phoneDigits(inquiry.number));
  if (!row) return undefined;
  const fields = fieldsOf(row);
  return { config: row.uuid, fields, ...choose(fields, await gatherFacts(deps, accountId, fields, inquiry)) };
}

/** Looks up what the conditions of a config ask about, and nothing else. */
export async function gatherFacts(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  { routes }: ConfigFields,
  { number, from, at, text = '', digits = '', random = Math.random() }: Inquiry,
): Promise<Facts> {
  const caller = phoneDigits(from);
  const { time_zone: zone, default_country: country } = await findAccount(db, accountId);
  const lists = routes.flatMap(({ conditions }) => conditions?.caller_lists ?? []);
  const wanted = routes.flatMap(({ conditions }) => conditions?.agent_available ?? []);
  return {
    dialled: phoneDigits(number),
    caller,
    callerCountry: countryOf(caller),
    lists: lists.length === 0 ? new Set() : await findListsOf(db, accountId, caller, lists),
    at,
    zone,
    country,
    text,
    digits,
    random,
    available: wanted.length === 0 ? new Map() : await findAvailable(db, accountId, wanted, at),
  };
}

const countriesOf: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;

/** Of a number that several countries could have, the largest of those which share its calling code. */
function countryOf(digits: string): string | null {
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  return parsed?.country ?? (parsed && countriesOf[parsed.countryCallingCode]?.[0]) ?? null;
}

async function findAvailable(
  db: Deps['db'],
  accountId: string,
  wanted: { agent?: string; skill?: string }[],
  at: Date,
): Promise<Map<string, boolean>> {
  const named = wanted.flatMap(({ agent }) => agent ?? []);
  const skills = wanted.flatMap(({ skill }) => (skill === undefined ? [] : [skillKey(skill)]));
  const agents = [...(await findAgents(db, accountId, named)), ...(await findSkilled(db, accountId, skills))];
  const available = new Map<string, boolean>();
  for (const agent of agents.filter((one) => isAvailable(one, at))) {
    available.set(availabilityKey({ agent: agent.uuid }), true);
    for (const skill of agent.skills) available.set(availabilityKey({ skill }), true);
  }
  return available;
}
