import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { jsonArray, longTextArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db, inTransaction, runPrepared } from '../../platform/db/connect/pool.ts';
import { isUuid, newId } from '../../platform/ids.ts';
import { isPhone, phoneDigits } from '../../platform/phone.ts';
import { redactContent } from '../../platform/text/redact.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { redactingOf } from '../accounts/index.ts';
import { ensureCallbacks } from './callbacks.ts';
import { type EventType, kindOf, namesOf } from './event-types.ts';
import { type Subscription, subscriptionsAnyAccount } from './queries.ts';

/** Something that webhooks may want to hear of. */
export interface WebhookEvent {
  accountId: string;
  /** Its id, a UUIDv7, which becomes the `webhook-id`; made here when left out. */
  uuid?: string;
  type: EventType;
  /** When it happened; left out: now. */
  at?: Date;
  data: Record<string, unknown>;
  /** For events of a number: the webhooks which that number names. */
  numberWebhooks?: string[];
  /** An address that hears of it too, whoever else listens or not. */
  callbackUrl?: string;
}

export const webhookTopic = 'webhooks';
export const subscriptionCache = 'webhook-subscriptions';

/**
 * Puts events into the queues of all webhooks that want them, in the caller's transaction: both are there or neither is. For
 * an account where nobody listens, and an event without an address of its own, it costs a look into the cache.
 */
export async function announce(
  db: Db,
  deps: Pick<Deps, 'caches' | 'listener' | 'clock' | 'vault'>,
  events: WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const subscriptions = await subscriptionsOf(db, deps, events);
  const wanted = events.filter(
    (event) => event.callbackUrl !== undefined || subscriptions.get(event.accountId)!.some((one) => wants(one, event)),
  );
  if (wanted.length === 0) return;
  const redacting = await redactingOf(
    db,
    deps,
    wanted.map(({ accountId }) => accountId),
  );
  const told = wanted.map((event) => (redacting.has(event.accountId) ? withoutContent(event) : event));
  await inTransaction(db, async (db) => {
    await insertDeliveries(db, told, await findCallbacks(db, deps, told), deps.clock.now());
  });
  deps.listener.signal(webhookTopic, '');
}

/** What a lead brought along is content, too. */
const withoutContent = (event: WebhookEvent): WebhookEvent => ({
  ...event,
  data: redactContent(event.data, event.type.startsWith('chatapp.lead.') ? ['data', 'name'] : []),
});

/**
 * Which of these accounts has a webhook that hears of a type of event, whichever number it is about: for callers whose events cost
 * something to describe.
 * What has a callback address must be described in any case.
 */
export async function findListening(
  db: Db,
  deps: Pick<Deps, 'caches'>,
  type: EventType,
  accountIds: string[],
): Promise<Set<string>> {
  const events = accountIds.map((accountId): WebhookEvent => ({ accountId, type, data: {} }));
  const subscriptions = await subscriptionsOf(db, deps, events);
  return new Set(
    events
      .filter((event) => subscriptions.get(event.accountId)!.some((one) => wants({ ...one, ...unfiltered }, event)))
      .map((event) => event.accountId),
  );
}

/** What an event that is not described yet is about is not known yet. */
const unfiltered = { heard_numbers: [], heard_senders: [], heard_intros: [] };

async function subscriptionsOf(
  db: Db,
  { caches }: Pick<Deps, 'caches'>,
  events: WebhookEvent[],
): Promise<Map<string, Subscription[]>> {
  const cache = caches.of<Subscription[]>(subscriptionCache);
  const stamp = cache.stamp();
  const known = new Map<string, Subscription[]>();
  const unknown = new Set<string>();
  for (const { accountId } of events) {
    const remembered = cache.get(accountId);
    if (remembered) known.set(accountId, remembered);
    else unknown.add(accountId);
  }
  if (unknown.size === 0) return known;
  const found = Map.groupBy(await subscriptionsAnyAccount(db, [...unknown]), (row) => row.account_id);
  for (const accountId of unknown) {
    const subscriptions = found.get(accountId) ?? [];
    known.set(accountId, subscriptions);
    cache.set(accountId, subscriptions, stamp);
  }
  return known;
}

function wants(subscription: Subscription, event: WebhookEvent): boolean {
  const { kind, name, events } = subscription;
  if (!namesOf(event.type).some((name) => events.includes(name))) return false;
  if (kind === 'ACCOUNT') return isAbout(aboutOf(event.data), subscription);
  return kind === kindOf(event.type) && (kind === 'CHATAPP' || (event.numberWebhooks ?? []).includes(name));
}

/** The body, as Standard Webhooks has it. */
export const payloadOf = ({ type, at, data }: Pick<WebhookEvent, 'type' | 'at' | 'data'>, now: Date): string =>
  JSON.stringify({ type, timestamp: timestamp(at ?? now), data });

/** The endpoints of the events that have an address of their own. */
async function findCallbacks(
  db: Db,
  deps: Pick<Deps, 'vault'>,
  events: WebhookEvent[],
): Promise<Map<WebhookEvent, string>> {
  const having = events.filter(({ callbackUrl }) => callbackUrl !== undefined);
  if (having.length === 0) return new Map();
  const callbacks = having.map(({ accountId, callbackUrl }) => ({ accountId, url: callbackUrl! }));
  const endpoints = await ensureCallbacks(db, deps, callbacks);
  return new Map(having.map((event, index) => [event, endpoints[index]!]));
}

/** `isAbout` in SQL, of one kind of thing. */
const isHeard = (what: 'numbers' | 'senders' | 'intros') => {
  const heard = sql.ref(`endpoint.heard_${what}`);
  return sql`(${heard} = '{}' or about -> ${sql.lit(what)} ?| ${heard})`;
};

/** The endpoints are read again by the statement itself: the cache only says that it is worth it. */
async function insertDeliveries(
  db: Db,
  events: WebhookEvent[],
  callbacks: Map<WebhookEvent, string>,
  now: Date,
): Promise<void> {
  const content = contentOf(db);
  const column = (pick: (event: WebhookEvent) => string | null) => sql.val(events.map(pick));
  const json = (pick: (event: WebhookEvent) => unknown) => jsonArray(events.map(pick));
  const payloads = events.map((event) => content.text(event.accountId, payloadOf(event, now)));
  const statement = sql`
    with announced as (
      select account_id, event, type, kind, names::jsonb, payload, callback, subject, about::jsonb from unnest(
        ${column((event) => event.accountId)}::uuid[],
        ${column((event) => event.uuid ?? newId())}::uuid[],
        ${column((event) => event.type)}::text[],
        ${column((event) => kindOf(event.type))}::text[],
        ${json((event) => event.numberWebhooks ?? [])}::json[],
        ${longTextArray(payloads)}::text[],
        ${column((event) => callbacks.get(event) ?? null)}::uuid[],
        ${column(({ data }) => subjectOf(data))}::uuid[],
        ${json(({ data }) => aboutOf(data))}::json[])
        as a (account_id, event, type, kind, names, payload, callback, subject, about)
    ), heard_by as (
      select announced.*, endpoint.uuid as endpoint
      from announced join webhook_endpoints as endpoint
        on endpoint.account_id = announced.account_id and endpoint.kind in (announced.kind, 'ACCOUNT')
      where endpoint.enabled and endpoint.events && case type when 'audit.entry' then array[type] else array['*', type] end and case
        when endpoint.kind = 'ACCOUNT' then ${isHeard('numbers')} and ${isHeard('senders')} and ${isHeard('intros')}
        when endpoint.kind = 'NUMBER' then names ? endpoint.name
        else true end
      union all
      select announced.*, callback
      from announced join webhook_endpoints as endpoint
        on endpoint.account_id = announced.account_id and endpoint.uuid = callback
      where endpoint.enabled
    ), made as (
      insert into webhook_deliveries (account_id, uuid, endpoint, event, type, payload, subject)
      select account_id, delivery_id(event), endpoint, event, type, payload, subject from heard_by
      returning account_id, endpoint, uuid
    ), queued as (
      insert into webhook_queue (account_id, endpoint, delivery) select account_id, endpoint, uuid from made
    )
    select 1`;
  await runPrepared(db, 'webhooks.announce', statement);
}

/** What an event is about, in the form that the filters of webhooks are compared with. */
export interface About {
  numbers: string[];
  senders: string[];
  intros: string[];
}

const numberFields = ['number', 'from', 'to', 'caller', 'called'];
const senderFields = ['chatapp_number'];
const introFields = ['chat_intro'];

/** Read from what the event tells, and from the message, SMS or call in it. */
function aboutOf(data: Record<string, unknown>): About {
  const told = [data, data['message'], data['sms'], data['call']].filter(isObject);
  const textsIn = (fields: string[]): string[] => [
    ...new Set(told.flatMap((part) => fields.map((field) => part[field]).filter((one) => typeof one === 'string'))),
  ];
  const digitsIn = (fields: string[]): string[] =>
    textsIn(fields)
      .filter((text) => isPhone(text))
      .map((text) => phoneDigits(text));
  return { numbers: digitsIn(numberFields), senders: digitsIn(senderFields), intros: textsIn(introFields) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether an event is about what a filter asks for; a filter that asks for nothing takes all. */
const isAbout = (
  { numbers, senders, intros }: About,
  {
    heard_numbers,
    heard_senders,
    heard_intros,
  }: { heard_numbers: string[]; heard_senders: string[]; heard_intros: string[] },
): boolean => meets(heard_numbers, numbers) && meets(heard_senders, senders) && meets(heard_intros, intros);

const meets = (wanted: string[], given: string[]): boolean =>
  wanted.length === 0 || wanted.some((one) => given.includes(one));

/** The id of what an event tells of: the thing that its data shows, or the first of these that it names; null: none has an id. */
function subjectOf(data: Record<string, unknown>): string | null {
  const { uuid, message, chat_intro, call, sms, id } = data;
  const candidates = [uuid, (message as { uuid?: unknown } | undefined)?.uuid, chat_intro, call, message, sms, id];
  return candidates.find((one): one is string => typeof one === 'string' && isUuid(one)) ?? null;
}
