import type { Deps } from '../../deps.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { findAccount } from '../accounts/index.ts';
import type { KeptCount } from './day-queries.ts';
import { comparedSpan, type DaySpan, momentsOf, pieceOf, piecesOf } from './days.ts';
import { gather } from './gather.ts';
import { findMeanings } from './label-queries.ts';
import {
  countedBy,
  isDimension,
  listOf,
  type Metric,
  type MetricRule,
  metricRules,
  metrics,
  namesOf,
} from './metrics.ts';
import { type Question, spanOf } from './question.ts';
import type { Report, ReportRow, ReportSummary, ReportTotal } from './schemas.ts';

/** How long a request counts days that nobody has asked for before. */
const budgetMs = 6_000;
/** The same for a summary, which asks for all metrics at once. */
const summaryBudgetMs = 2_000;

interface Row {
  key: string;
  label: string;
  from: string | null;
  to: string | null;
  figures: Figures;
  /** What its list is filtered by; undefined: it has no list of its own. */
  filter?: string;
}

/** Answers a question about a span of days, beside another span if it is to be compared. */
export async function makeReport(
  deps: Deps,
  accountId: string,
  question: Question,
  { mostMs = budgetMs }: { mostMs?: number } = {},
): Promise<Report> {
  const { metric, group_by, compare, direction, limit } = question;
  const rule = metricRules[metric];
  const { time_zone } = await findAccount(deps.db, accountId);
  const span = spanOf(question, time_zone, deps.clock.now());
  // One budget for all that the answer needs.
  const endMs = performance.now() + mostMs;
  const tell = (span: DaySpan) => rowsOf(deps, accountId, question, { span, timeZone: time_zone, endMs });
  const now = await tell(span);
  const earlierSpan = compare === 'none' ? undefined : comparedSpan(span, compare);
  const earlier = earlierSpan && (await tell(earlierSpan));
  const earlierByKey = new Map(earlier?.rows.map((row) => [row.key, row.figures]));
  const wanted = isDimension(group_by) ? now.rows.slice(0, limit) : now.rows;
  const whole = momentTexts(span, time_zone);
  const show = (figures: Figures) => presentFigures(metric, figures);
  const rows: ReportRow[] = wanted.map((row, index) => {
    // Pieces of time stand beside the piece in the same place, all others beside themselves.
    const before = row.from === null ? earlierByKey.get(row.key) : earlier?.rows[index]?.figures;
    const times = row.from === null ? whole : { from: row.from, to: row.to! };
    const of = isDimension(group_by) && row.filter !== undefined && { dimension: group_by, value: row.filter };
    return {
      key: row.key,
      label: row.label,
      from: row.from,
      to: row.to,
      ...show(row.figures),
      previous: earlier ? show(before ?? noFigures(rule)) : null,
      list: row.from !== null || of ? listOf(metric, times, { direction, ...(of && { of }) }) : null,
    };
  });
  const rest = isDimension(group_by) ? without(now.total, wanted, rule.statuses) : undefined;
  return {
    metric,
    group_by,
    ...span,
    time_zone,
    complete: now.isComplete && (earlier?.isComplete ?? true),
    statuses: namesOf(rule),
    total: {
      ...show(now.total),
      previous: earlier ? show(earlier.total) : null,
      list: listOf(metric, whole, { direction }),
    },
    compared_with: earlierSpan ?? null,
    rows,
    rest: rest ? show(rest) : null,
  };
}

/** All metrics of a span of days at once, without rows. */
export async function makeSummary(
  deps: Deps,
  accountId: string,
  question: Pick<Question, 'from' | 'to' | 'compare'>,
): Promise<ReportSummary> {
  const { time_zone } = await findAccount(deps.db, accountId);
  const span = spanOf({ ...question, group_by: 'day' }, time_zone, deps.clock.now());
  const earlierSpan = question.compare === 'none' ? undefined : comparedSpan(span, question.compare);
  let complete = true;
  const totalOf = async (metric: Metric, days: DaySpan) => {
    const asked = { metric, span: days, timeZone: time_zone, by: 'all' as const, daily: false };
    const { counts, isComplete } = await gather(deps, accountId, asked, summaryBudgetMs);
    complete &&= isComplete;
    return presentFigures(metric, sumOf(metric, counts));
  };
  const totals = metrics.map(async (metric): Promise<[string, ReportTotal]> => {
    const [now, previous] = await Promise.all([
      totalOf(metric, span),
      earlierSpan ? totalOf(metric, earlierSpan) : Promise.resolve(null),
    ]);
    return [metric, { ...now, previous, list: listOf(metric, momentTexts(span, time_zone)) }];
  });
  const told = Object.fromEntries(await Promise.all(totals)) as ReportSummary['metrics'];
  return { ...span, time_zone, complete, compared_with: earlierSpan ?? null, metrics: told };
}

function sumOf(metric: Metric, counts: readonly KeptCount[], direction?: string): Figures {
  const figures = noFigures(metricRules[metric]);
  for (const one of counts) addCount(figures, metricRules[metric], one, direction);
  return figures;
}

const momentTexts = (span: DaySpan, timeZone: string): { from: string; to: string } => {
  const { from, to } = momentsOf(span, timeZone);
  return { from: timestamp(from), to: timestamp(to) };
};

function presentFigures(metric: Metric, { count, counts, amount }: Figures) {
  const { amount: name } = metricRules[metric];
  return { count, counts, ...(name && { [name]: amount }) };
}

/** What is left of the total beside these rows: what belongs to nothing, and what comes after the last row. */
function without(total: Figures, rows: Row[], statuses: readonly string[]): Figures {
  const counts = { ...total.counts };
  for (const { figures } of rows) for (const name of Object.keys(counts)) counts[name]! -= figures.counts[name]!;
  const amount = rows.reduce((left, { figures }) => left - figures.amount, total.amount);
  return { counts, amount, count: statuses.reduce((sum, name) => sum + counts[name]!, 0) };
}

interface Told {
  rows: Row[];
  total: Figures;
  isComplete: boolean;
}

async function rowsOf(
  deps: Deps,
  accountId: string,
  { metric, group_by, direction }: Question,
  { span, timeZone, endMs }: { span: DaySpan; timeZone: string; endMs: number },
): Promise<Told> {
  const by = countedBy(group_by);
  const daily = !isDimension(group_by) && group_by !== 'hour_of_day';
  const { counts, isComplete } = await gather(
    deps,
    accountId,
    { metric, span, timeZone, by, daily },
    endMs - performance.now(),
  );
  const sum = (some: readonly KeptCount[]): Figures => sumOf(metric, some, direction);
  if (!isDimension(group_by)) {
    const byPiece = Map.groupBy(counts, ({ day, key }) => pieceOf(group_by, day ?? '', key));
    const rows = piecesOf(group_by, span, timeZone)!.map((piece) => ({
      ...piece,
      label: piece.key,
      figures: sum(byPiece.get(piece.key) ?? []),
    }));
    return { rows, total: sum(counts), isComplete };
  }
  const all = await gather(
    deps,
    accountId,
    { metric, span, timeZone, by: 'all', daily: false },
    endMs - performance.now(),
  );
  const keys = [...new Set(counts.map(({ key }) => key))];
  const meanings = await findMeanings(deps.db, accountId, metric, group_by, keys);
  const byThing = Map.groupBy(
    counts.filter(({ key }) => meanings.has(key)),
    ({ key }) => meanings.get(key)!.id,
  );
  const rows = [...byThing]
    .map(([id, some]): Row => {
      const { label, filter } = meanings.get(some[0]!.key)!;
      return { key: id, label, from: null, to: null, figures: sum(some), filter };
    })
    .filter(({ figures }) => figures.count > 0)
    .toSorted((a, b) => b.figures.count - a.figures.count || (a.key < b.key ? -1 : 1));
  return { rows, total: sum(all.counts), isComplete: isComplete && all.isComplete };
}

/** How many, by status, and what was summed up of them. */
export interface Figures {
  count: number;
  counts: Record<string, number>;
  amount: number;
}

const noFigures = (rule: MetricRule): Figures => ({
  count: 0,
  counts: Object.fromEntries(namesOf(rule).map((name) => [name, 0])),
  amount: 0,
});

/** Adds what was counted. A name of calls begins with their direction; of the others, if one is asked for, nothing counts. */
function addCount(figures: Figures, rule: MetricRule, counted: KeptCount, direction?: string): void {
  const words = counted.name.split(' ');
  const name = words.at(-1)!;
  if (direction !== undefined && words.length > 1 && words[0] !== direction) return;
  if (!(name in figures.counts)) return;
  figures.counts[name]! += counted.count;
  if (!rule.statuses.includes(name)) return;
  figures.count += counted.count;
  figures.amount += counted.amount;
}
