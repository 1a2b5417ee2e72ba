import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { withOffset } from '../../../platform/http/validation/index.ts';
import { windowMs } from '../../messages/index.ts';
import { type ChannelPrices, priceListOf } from '../../safeguards/index.ts';
import { findContacts } from '../audience/queries.ts';
import { checkLists } from '../change.ts';
import { findChatSender } from '../feed/channels.ts';
import { foldedName, placeholdersOf } from '../feed/compose.ts';
import { findCampaign } from '../queries.ts';
import { type CampaignFields, fieldsOf } from '../schemas.ts';
import { countPeople, countReceived, findAttributeNames, type Group, measureSms } from './queries.ts';
import type { CampaignReview, CampaignReviewOf } from './schemas.ts';
import { estimateTimes } from './times.ts';
import { type PlaceholderValue, placeholderValue, similarName } from './values.ts';
import { warningsOf } from './warnings.ts';

/** More than anybody writes into one message. */
const mostPlaceholders = 20;
const mostExamples = 3;

/** What a launch would do, as things are now: nothing is sent or kept. The work is done by the database, in one pass for all people. */
export async function reviewCampaign(
  deps: Deps,
  accountId: string,
  uuid: string,
  { send_at }: Static<typeof CampaignReviewOf>,
): Promise<CampaignReview> {
  const { db } = deps;
  const row = await findCampaign(db, accountId, uuid);
  if (!row) throw notFound();
  const campaign = fieldsOf(row);
  await checkLists(db, accountId, campaign);
  const priceList = await priceListOf(deps, accountId);
  const prices = priceList.of(campaign.channel);
  const { values, missable, groups, known } = await countAll(deps, accountId, campaign, prices);
  const total = (of: (group: Group) => number | null) => groups.reduce((sum, group) => sum + Number(of(group) ?? 0), 0);
  const left_out = { opted_out: total((one) => one.opted_out), window_closed: total((one) => one.window_closed) };
  const audience = total((one) => one.audience);
  const people = audience - left_out.opted_out - left_out.window_closed;
  const moment = send_at ?? campaign.send_at;
  const sms = campaign.channel === 'SMS' ? smsOf(groups, total) : null;
  const review = {
    audience,
    people,
    left_out,
    missing: await missingOf(deps, accountId, { values, missable, groups, known }),
    sms,
    cost: costOf(priceList.currency, prices, {
      cost: total((one) => one.cost),
      units: sms ? sms.parts : people,
      people,
      unpriced: total((one) => one.unpriced),
    }),
    ...(await estimateTimes(deps, accountId, campaign, {
      moment: moment === null ? null : withOffset(moment),
      people,
    })),
    received: await countReceived(db, accountId, uuid, campaign),
  };
  return { ...review, warnings: await warningsOf(deps, accountId, campaign, review) };
}

interface Counted {
  values: PlaceholderValue[];
  /** The indexes of those that may be missing. */
  missable: number[];
  groups: Group[];
  /** The names of attributes, if they had to be looked for. */
  known: string[];
}

/**
 * The names of attributes are taken from the first people. If somebody still lacks a value, further names are looked for, and
 * people are counted once more if one of these is a placeholder in another spelling.
 */
async function countAll(
  deps: Deps,
  accountId: string,
  campaign: CampaignFields,
  prices: ChannelPrices,
): Promise<Counted> {
  const { db } = deps;
  const names = placeholdersOf(campaign.template ?? campaign.text).slice(0, mostPlaceholders);
  const window = await findWindow(deps, accountId, campaign);
  const countWith = async (known: string[]): Promise<Counted> => {
    const values = names.map((name) => placeholderValue(name, known, campaign.fallbacks));
    const missable = values.flatMap(({ canMiss }, place) => (canMiss ? [place] : []));
    const asked = {
      values: values.map(({ text }) => text),
      missable,
      measure: measureOf(campaign, values),
      window,
      prices,
    };
    return { values, missable, groups: await countPeople(db, accountId, campaign, asked), known };
  };
  const first = names.length > 0 ? await findAttributeNames(db, accountId, campaign) : [];
  const counted = await countWith([...new Set([...first, ...names])]);
  const lacks = counted.groups.some(({ missing }) => missing.some((people) => Number(people) > 0));
  if (!lacks) return counted;
  const more = await findAttributeNames(db, accountId, campaign, first);
  const known = [...new Set([...first, ...more])];
  const keys = new Set(names.map(foldedName));
  const isSpeltOtherwise = more.some((name) => keys.has(foldedName(name)) && !counted.known.includes(name));
  return isSpeltOtherwise ? countWith([...new Set([...known, ...names])]) : { ...counted, known };
}

function measureOf({ channel, text }: CampaignFields, values: PlaceholderValue[]) {
  if (channel !== 'SMS') return undefined;
  return measureSms(text, new Map(values.map(({ name }, place) => [name, sql<string>`${sql.ref(`v${place}`)}`])));
}

/** A text on the chat app needs a window; from a sender that nobody registered there is none to look for. */
async function findWindow(deps: Deps, accountId: string, { channel, template, sender }: CampaignFields) {
  if (channel !== 'CHATAPP' || template) return undefined;
  const account = await findChatSender(deps, accountId, sender);
  if (!account) return undefined;
  const now = deps.carriers.get(account.carrier).clock(accountId).now();
  return { chatappAccount: account.uuid, since: new Date(now.getTime() - windowMs) };
}

function smsOf(groups: Group[], total: (of: (group: Group) => number | null) => number) {
  const ofAll = (name: 'fewest' | 'most') => groups.map((one) => one[name]).filter((parts) => parts !== null);
  return {
    parts: total((one) => one.parts),
    fewest: Math.min(...ofAll('fewest'), Number.MAX_SAFE_INTEGER) % Number.MAX_SAFE_INTEGER,
    most: Math.max(...ofAll('most'), 0),
    unicode: total((one) => one.unicode),
  };
}

/** The cost. Prices differ by prefix, so the price of one is the average. null: no price is known, or no currency. */
function costOf(
  currency: string | null,
  { otherwise }: ChannelPrices,
  { cost, units, people, unpriced }: { cost: number; units: number; people: number; unpriced: number },
): CampaignReview['cost'] {
  const isKnown = people === 0 ? otherwise !== undefined : unpriced < people;
  if (currency === null || !isKnown) return null;
  const unit_price = units === 0 ? otherwise! : round(cost / units, 6);
  return { amount: round(cost, 2), currency, unit_price, unpriced };
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

async function missingOf({ db }: Deps, accountId: string, counted: Counted): Promise<CampaignReview['missing']> {
  const { values, missable, groups, known } = counted;
  const found = missable.map((place, index) => ({
    placeholder: values[place]!.name,
    people: groups.reduce((sum, group) => sum + Number(group.missing[index] ?? 0), 0),
    ids: groups.flatMap((group) => group.examples[index] ?? []).slice(0, mostExamples),
  }));
  const lacking = found.filter(({ people }) => people > 0);
  const contacts = await findContacts(
    db,
    accountId,
    lacking.flatMap(({ ids }) => ids),
  );
  const byId = new Map(contacts.map((contact) => [contact.uuid, contact]));
  return lacking.map(({ placeholder, people, ids }) => ({
    placeholder,
    people,
    similar: similarName(placeholder, ['name', 'first_name', 'phone_number', 'language_code', ...known]),
    examples: ids.flatMap((id) => {
      const contact = byId.get(id);
      return contact ? [{ contact: id, phone_number: contact.phone_number, name: contact.name }] : [];
    }),
  }));
}
