import { type Static, Type } from 'typebox';
import { route } from '../../deps.ts';
import { ValidationError } from '../../platform/errors.ts';
import { ok } from '../../platform/http/route.ts';
import { dayStart, wallMoment } from '../../platform/time/week-hours.ts';
import { findAccount } from '../accounts/index.ts';
import { Ledger, readLedger } from '../messages/index.ts';
import { readSmsLedger, SmsLedger } from '../sms/index.ts';
import { changeConfig } from './config.ts';
import { readInsights, readSeries, type TimeSpan } from './figures.ts';
import { findConfig } from './queries.ts';
import { defaults, Insights, InsightsConfig, InsightsConfigChange, presentConfig } from './schemas.ts';

const tag = 'Insights';
const url = '/v2/insights-config/';
const office = [{ start: '09:00', end: '17:30' }];
const mostDays = 31;
const mostDaysByHour = 7;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const DayQuery = Type.Object({
  from: Type.Optional(Type.String({ format: 'date', description: 'The first day; left out: the last one alone.' })),
  to: Type.Optional(Type.String({ format: 'date', description: 'The last day, included; left out: today.' })),
});

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'getInsightsConfig',
    summary: 'Get the insights config',
    tag,
    scope: 'insight:read',
    responses: { 200: InsightsConfig },
    tagged: { without: ['modified'], row: (accountId) => ({ table: 'accounts', where: { uuid: accountId } }) },
    handler: async ({ deps, accountId }) => ok(presentConfig(await findConfig(deps.db, accountId))),
  }),
  route({
    method: 'PUT',
    url,
    operationId: 'updateInsightsConfig',
    summary: 'Update the insights config: which insights you get',
    description: 'Fields that are left out are set to their defaults.',
    tag,
    scope: 'insight:write',
    body: InsightsConfigChange,
    responses: { 200: InsightsConfig },
    example: {
      missed_call_window_minutes: 60,
      reply_time_target_minutes: 30,
      keyword_groups: [{ name: 'Complaints', keywords: ['refund', 'not happy'] }],
      business_hours: { monday: office, tuesday: office, wednesday: office, thursday: office, friday: office },
      digest: { enabled: true, hour: 8 },
    },
    handler: async ({ deps, accountId, body }) =>
      ok(presentConfig(await changeConfig(deps, accountId, body, () => defaults))),
  }),
  route({
    method: 'PATCH',
    url,
    operationId: 'partialUpdateInsightsConfig',
    summary: 'Partially update the insights config',
    tag,
    scope: 'insight:write',
    body: InsightsConfigChange,
    responses: { 200: InsightsConfig },
    example: { reply_time_target_minutes: 15 },
    handler: async ({ deps, accountId, body }) =>
      ok(presentConfig(await changeConfig(deps, accountId, body, (before) => before))),
  }),
  route({
    method: 'GET',
    url: '/v2/insights/',
    operationId: 'getInsights',
    summary: 'Get the figures of today or of several days',
    description: `Days of the account's time zone, ${mostDays} at most. The same figures as in the digest.`,
    tag,
    scope: 'insight:read',
    query: DayQuery,
    responses: { 200: Insights },
    handler: async ({ deps, accountId, query }) => {
      const { time_zone } = await findAccount(deps.db, accountId);
      return ok(await readInsights(deps.db, accountId, spanOf(query, time_zone, deps.clock.now())));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/insights/series/',
    operationId: 'getInsightsSeries',
    summary: 'Get the figures by hour or by day',
    description: `Days of the account's time zone: ${mostDays} at most, by the hour ${mostDaysByHour}.`,
    tag,
    scope: 'insight:read',
    query: Type.Object({ ...DayQuery.properties, by: Type.Enum(['day', 'hour'], { default: 'day' }) }),
    responses: { 200: Type.Object({ results: Type.Array(Insights) }, { title: 'InsightsSeries' }) },
    handler: async ({ deps, accountId, query }) => {
      const { time_zone } = await findAccount(deps.db, accountId);
      const isHourly = query.by === 'hour';
      const span = spanOf(query, time_zone, deps.clock.now(), isHourly ? mostDaysByHour : mostDays);
      const bounds = isHourly ? hoursOf(span) : daysOf(span, time_zone);
      return ok({ results: await readSeries(deps.db, accountId, bounds) });
    },
  }),
];

/** Hours that have passed, not those of the clock on the wall: of those, one comes twice a year and one never. */
function hoursOf({ from, to }: TimeSpan): Date[] {
  const hours = Math.ceil((to.getTime() - from.getTime()) / hourMs);
  return Array.from(
    { length: hours + 1 },
    (_, hour) => new Date(Math.min(from.getTime() + hour * hourMs, to.getTime())),
  );
}

function daysOf({ from, to }: TimeSpan, timeZone: string): Date[] {
  const bounds = [from];
  // From noon to noon no change of the clock skips a day.
  for (let noonMs = from.getTime() + dayMs / 2; bounds.at(-1)! < to; noonMs += dayMs) {
    bounds.push(dayStart(nextDay(wallMoment(new Date(noonMs), timeZone).date), timeZone));
  }
  return bounds;
}

const nextDay = (date: string): string => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);

function spanOf({ from, to }: Static<typeof DayQuery>, timeZone: string, now: Date, most = mostDays): TimeSpan {
  const last = to ?? wallMoment(now, timeZone).date;
  const first = from ?? last;
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (days < 1) throw new ValidationError({ from: ['Ensure this day is not after the last one.'] });
  if (days > most) throw new ValidationError({ from: [`Ask for no more than ${most} days at once.`] });
  const dayAfter = nextDay(last);
  if (first < '1970-01-02' || last > '9998') {
    throw new ValidationError({ [first < '1970-01-02' ? 'from' : 'to']: ['There is no data for that time.'] });
  }
  return { from: dayStart(first, timeZone), to: dayStart(dayAfter, timeZone) };
}

const AccountLedger = Type.Object(
  { ...Ledger.properties, sms: SmsLedger },
  {
    title: 'Ledger',
    description: 'Counted from the rows themselves: accepted = final + pending. First chat-app messages.',
  },
);

export const ledgerRoute = route({
  method: 'GET',
  url: '/v2/account/ledger/',
  operationId: 'getLedger',
  summary: 'Proof that nothing is lost: accepted = final + pending',
  tag: 'Account',
  scope: 'billing:read',
  responses: { 200: AccountLedger },
  handler: async ({ deps, accountId }) => {
    const [messages, sms] = await Promise.all([readLedger(deps.db, accountId), readSmsLedger(deps.db, accountId)]);
    return ok({ ...messages, sms });
  },
});
