import { sql } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import { isInactiveText } from '../domains/accounts/index.ts';
import { laterText, priorities, readyText, waitingOf } from '../domains/outbox/index.ts';
import { type Db, prepared } from '../platform/db/connect/pool.ts';
import { distinctText } from '../platform/db/distinct.ts';
import { within } from '../platform/time/pause.ts';

/**
 * How much waits in every queue of the server, and for how long the first has been due. What is counted, and how many places are looked
 * at, has an upper bound: a look costs no more with a million tenants, or ten million rows. Rows that nobody waits for are not read.
 */

/** Rows that are counted, and places (senders, accounts, endpoints) whose first row is looked at. */
const mostCounted = 20_000;
const mostPlaces = 2_000;

/** How much waits, by state. */
type Depths = Record<string, number>;
interface QueueLook {
  depths: Depths;
  /** How long the first has been due; 0: nothing is. */
  oldestSeconds: number;
}
type Look = (db: Db) => Promise<QueueLook>;

const ageText = (moment: string): string => `coalesce(extract(epoch from now() - min(${moment})), 0)::float8 as age`;

/** A queue by two statements: one counts, the other finds the first that is due. */
function makeLook(
  name: string,
  { counts, age, ageDistributed = age }: Record<'counts' | 'age', string> & { ageDistributed?: string },
): Look {
  const count = prepared<Depths>(`queues.count-${name}`, counts);
  const findOldest = prepared<{ age: number }>(`queues.oldest-${name}`, age, ageDistributed);
  return async (db) => {
    const [depths] = await count(db, []);
    const [oldest] = await findOldest(db, []);
    return { depths: depths!, oldestSeconds: Math.max(0, oldest!.age) };
  };
}

const outboxCounts = (table: string): string => `
  select count(*) filter (where priority <= ${priorities.campaign} and due_at <= now()) as due,
    count(*) filter (where priority <= ${priorities.campaign} and due_at > now() and due_at < 'infinity') as scheduled,
    count(*) filter (where priority = ${priorities.paused} and due_at < 'infinity') as held,
    count(*) filter (where due_at = 'infinity') as awaiting_receipt
  from (
    (select priority, due_at from ${table} where ${readyText} limit ${mostCounted})
    union all
    (select priority, due_at from ${table} where ${laterText} limit ${mostCounted})) as waiting`;

/** Due since it was accepted, or since the moment it was put off or planned for. */
const dueSince = (row: string, uuid = 'uuid'): string => `greatest(${row}.due_at, uuid_moment(${row}.${uuid}))`;
const leavingText = `(values (${priorities.own}), (${priorities.campaign})) as leaving (priority)`;
/** What is due and was not marked: delivery does so within a second, where it runs. `columns` are those of its place. */
const unmarkedText = (table: string, columns: string): string => `
  select ${columns}, uuid, due_at from ${table}
  where ${laterText} and due_at <= now() and priority <= ${priorities.campaign} order by due_at limit ${mostPlaces}`;
/** By both indexes: of what is ready, and of what is not. */
const ageOfBoth = (sinceText: (isReady: string) => string): string =>
  `select ${ageText('since')} from (${sinceText('state.ready')} union all ${sinceText('not state.ready')}) as first`;

const messages = makeLook('messages', {
  counts: outboxCounts('message_states'),
  age: `with recursive ${distinctText('waiting', { table: 'message_states', columns: ['account_id', 'chatapp_account'], condition: readyText })},
    first as (
      select place.account_id, place.chatapp_account, head.uuid, head.due_at
      from (select * from waiting limit ${mostPlaces}) as place
      cross join ${leavingText}
      cross join lateral (
        select due_at, uuid from message_states
        where account_id = place.account_id and chatapp_account = place.chatapp_account and priority = leaving.priority
          and ${readyText} and due_at <= now()
        order by due_at, uuid limit 1) as head
      union all (${unmarkedText('message_states', 'account_id, chatapp_account')})
    )
    select ${ageText(dueSince('first'))} from first
    cross join lateral (
      select 1 from chatapp_accounts
      where account_id = first.account_id and uuid = first.chatapp_account and not paused
        and not ${isInactiveText('chatapp_accounts.account_id')} limit 1) as sender`,
  ageDistributed: ageOfBoth(
    (isReady) => `select min(${dueSince('state')}) as since
      from message_states as state
      join chatapp_accounts as sender on sender.account_id = state.account_id and sender.uuid = state.chatapp_account
      where ${waitingOf('state')} and ${isReady} and state.due_at <= now() and state.priority <= ${priorities.campaign}
        and not sender.paused and not ${isInactiveText('sender.account_id')}`,
  ),
});

const sms = makeLook('sms', {
  counts: outboxCounts('sms_states'),
  age: `with recursive ${distinctText('waiting', { table: 'sms_states', columns: ['account_id'], condition: readyText })},
    first as (
      select place.account_id, head.uuid, head.due_at
      from (select * from waiting limit ${mostPlaces}) as place
      cross join ${leavingText}
      cross join lateral (
        select due_at, uuid from sms_states
        where account_id = place.account_id and priority = leaving.priority and ${readyText} and due_at <= now()
        order by due_at, uuid limit 1) as head
      union all (${unmarkedText('sms_states', 'account_id')})
    )
    select ${ageText(dueSince('first'))} from first
    cross join lateral (
      select 1 from sms_links
      where account_id = first.account_id and enabled and not ${isInactiveText('sms_links.account_id')} limit 1) as link`,
  ageDistributed: ageOfBoth(
    (isReady) => `select min(${dueSince('state')}) as since
      from sms_states as state join sms_links as link on link.account_id = state.account_id
      where ${waitingOf('state')} and ${isReady} and state.due_at <= now() and state.priority <= ${priorities.campaign}
        and link.enabled and not ${isInactiveText('link.account_id')}`,
  ),
});

const webhooks = makeLook('webhooks', {
  counts: `select count(*) filter (where due_at <= now()) as due, count(*) filter (where due_at > now()) as scheduled
    from (select due_at from webhook_queue where claimed_by is null limit ${mostCounted}) as waiting`,
  age: `with recursive ${distinctText('waiting', { table: 'webhook_queue', columns: ['account_id', 'endpoint'], condition: 'claimed_by is null and ready' })}
    select ${ageText(`greatest(${dueSince('head', 'delivery')}, receiver.paused_until)`)}
    from (select * from waiting limit ${mostPlaces}) as place
    cross join lateral (
      select account_id, uuid, paused_until from webhook_endpoints
      where account_id = place.account_id and uuid = place.endpoint and enabled
        and coalesce(paused_until, '-infinity') <= now() and not ${isInactiveText('webhook_endpoints.account_id')} limit 1) as receiver
    cross join lateral (
      select due_at, delivery from webhook_queue
      where account_id = receiver.account_id and endpoint = receiver.uuid and claimed_by is null and ready and due_at <= now()
      order by due_at, delivery limit 1) as head`,
  ageDistributed: `select ${ageText(`greatest(${dueSince('queue', 'delivery')}, receiver.paused_until)`)}
    from webhook_queue as queue
    join webhook_endpoints as receiver on receiver.account_id = queue.account_id and receiver.uuid = queue.endpoint
    where queue.claimed_by is null and queue.due_at <= now() and receiver.enabled
      and coalesce(receiver.paused_until, '-infinity') <= now() and not ${isInactiveText('queue.account_id')}`,
});

const unread = 'done is null and problem is null';
const inbound = makeLook('inbound', {
  counts: `select count(*) filter (where due_at <= now()) as due, count(*) filter (where due_at > now()) as scheduled
    from (select due_at from inbound_payloads where ${unread} limit ${mostCounted}) as waiting`,
  age: `with recursive ${distinctText('waiting', { table: 'inbound_payloads', columns: ['account_id'], condition: unread })}
    select ${ageText('greatest(head.due_at, head.received)')}
    from (select * from waiting limit ${mostPlaces}) as place
    cross join lateral (
      select due_at, received from inbound_payloads
      where account_id = place.account_id and ${unread} and due_at <= now() order by uuid limit 1) as head`,
  ageDistributed: `select ${ageText('greatest(due_at, received)')} from inbound_payloads where ${unread} and due_at <= now()`,
});

const openJobs = `status in ('QUEUED', 'RUNNING')`;
const jobs = makeLook('jobs', {
  counts: `select count(*) filter (where status = 'QUEUED') as due, count(*) filter (where status = 'RUNNING') as running
    from (select status from jobs where ${openJobs} limit ${mostCounted}) as open`,
  age: `with recursive ${distinctText('waiting', { table: 'jobs', columns: ['account_id'], condition: openJobs })}
    select ${ageText('uuid_moment(head.uuid)')}
    from (select * from waiting limit ${mostPlaces}) as place
    cross join lateral (
      select uuid from jobs where account_id = place.account_id and status = 'QUEUED' order by uuid limit 1) as head
    where not ${isInactiveText('place.account_id')}`,
  ageDistributed: `select ${ageText('uuid_moment(uuid)')} from jobs where status = 'QUEUED' and not ${isInactiveText('jobs.account_id')}`,
});

const campaigns = makeLook('campaigns', {
  counts: `select count(*) filter (where status = 'RUNNING') as running, count(*) filter (where status = 'PAUSED') as paused,
      count(*) filter (where status = 'SCHEDULED' and start_at <= now()) as due,
      count(*) filter (where status = 'SCHEDULED' and start_at > now()) as scheduled
    from (
      select status, start_at from campaign_logs where status in ('SCHEDULED', 'RUNNING', 'PAUSED') limit ${mostCounted}) as open`,
  age: `select ${ageText('start_at')} from (
      select start_at, account_id from campaign_logs where status = 'SCHEDULED' and start_at <= now()
      order by start_at limit ${mostPlaces}) as late
    where not ${isInactiveText('late.account_id')}`,
});

const introTimers = makeLook('intro-timers', {
  counts: `select count(*) filter (where notify_due_at <= now()) as due, count(*) filter (where notify_due_at > now()) as scheduled
    from (select notify_due_at from intro_sessions where notify_due_at is not null limit ${mostCounted}) as waiting`,
  age: `with recursive ${distinctText('waiting', { table: 'intro_sessions', columns: ['account_id', 'chatapp_account'], condition: 'notify_due_at is not null' })}
    select ${ageText('head.notify_due_at')}
    from (select * from waiting limit ${mostPlaces}) as place
    cross join lateral (
      select notify_due_at from intro_sessions
      where account_id = place.account_id and chatapp_account = place.chatapp_account and notify_due_at <= now()
      order by notify_due_at limit 1) as head
    where not ${isInactiveText('place.account_id')}`,
  ageDistributed: `select ${ageText('notify_due_at')} from intro_sessions
    where notify_due_at <= now() and not ${isInactiveText('intro_sessions.account_id')}`,
});

const undialled = `claimed_by is null and direction = 'OUTBOUND' and not hang_up`;
const calls = makeLook('calls', {
  counts: `select count(*) as due from (select 1 from calls_under_way where ${undialled} limit ${mostCounted}) as waiting`,
  age: `select ${ageText('created')} from (
      select created, account_id from calls_under_way where ${undialled} order by created limit ${mostPlaces}) as waiting
    where not ${isInactiveText('waiting.account_id')}`,
});

/** Content that is being encrypted or decrypted: it takes as long as it takes, and is never late. */
const content = makeLook('content', {
  counts: `select count(*) as accounts, coalesce(sum(greatest(total - seen, 0)), 0)::float8 as items
    from (select total, seen from content_passes where finished is null limit ${mostCounted}) as unfinished`,
  age: 'select 0::float8 as age',
});

/** Every queue, by the name that metrics have for it. */
export const queueLooks: Record<string, Look> = {
  messages,
  sms,
  webhooks,
  inbound,
  jobs,
  campaigns,
  intro_timers: introTimers,
  calls,
  content,
};

/** Scrapes that come closer together are answered with the same look. */
const keptMs = 5_000;
/** Less than the processes of a server wait for each other's metrics. */
const patienceMs = 700;
const statementMs = 5_000;

type Looks = Map<string, QueueLook>;

/**
 * Shows at `/metrics` how much waits in every queue of the database. It is looked at when somebody asks, and not more often than every
 * few seconds. A database that is slow or away leaves the queues out of the response; the rest of it comes in time.
 */
export function showQueues(registry: Registry, db: Db): void {
  const registers = [registry];
  const failures = new Counter({
    name: 'parley_queue_look_failures_total',
    help: 'Looks at the queues that failed or took too long; the response to that scrape had no queues.',
    registers,
  });
  const looking = makeLooking(db);
  const look = (): Promise<Looks | undefined> => within(patienceMs, looking()).catch(() => undefined);
  new Gauge({
    name: 'parley_queue_depth',
    help: 'What waits in the queues of the database, by queue and state, counted up to 20000. The same for every process.',
    labelNames: ['queue', 'state'],
    aggregator: 'first',
    registers,
    async collect() {
      const looks = await look();
      if (!looks) failures.inc();
      this.reset();
      for (const [queue, { depths }] of looks ?? []) {
        for (const [state, count] of Object.entries(depths)) this.set({ queue, state }, count);
      }
    },
  });
  new Gauge({
    name: 'parley_queue_oldest_due_age_seconds',
    help: 'For how long the first of a queue has been due; 0: nothing is. The same for every process.',
    labelNames: ['queue'],
    aggregator: 'first',
    registers,
    async collect() {
      const looks = await look();
      this.reset();
      for (const [queue, { oldestSeconds }] of looks ?? []) this.set({ queue }, oldestSeconds);
    },
  });
}

/** One look at a time, which whoever asks meanwhile shares, and which serves for a few seconds. */
function makeLooking(db: Db): () => Promise<Looks> {
  let latest: { atMs: number; looks: Promise<Looks> } | undefined;
  return () => {
    if (latest && performance.now() - latest.atMs < keptMs) return latest.looks;
    const mine = { atMs: performance.now(), looks: lookAll(db) };
    latest = mine;
    mine.looks.catch(() => {
      if (latest === mine) latest = undefined;
    });
    return mine.looks;
  };
}

const lookAll = (db: Db): Promise<Looks> =>
  db.transaction().execute(async (db) => {
    await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(db);
    const looks: Looks = new Map();
    for (const [queue, look] of Object.entries(queueLooks)) looks.set(queue, await look(db));
    return looks;
  });
