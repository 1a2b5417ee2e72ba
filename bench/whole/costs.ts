import type { Figure, Run } from '../figures.ts';
import { makeMeter, type Spent } from '../kit/meter.ts';
import { listen, setUpStage, untilTold, type Work } from '../kit/stage.ts';
import { type Prediction, predict, type Traffic } from '../scale-model.ts';

/** What a prediction may be off by, one way or the other. */
const most = 1.25;

/**
 * What a message, an SMS, a call and a click cost: processor time of Parley and of its PostgreSQL, WAL, operations of the disk, and what
 * stays in the database. `docs/scale.md` counts with them.
 */
export async function costs({ scope, quick, progress }: Run): Promise<Figure[]> {
  const stage = await setUpStage(scope);
  if (!stage.calls) progress('no sipp: calls are left out');
  const told: Work = async (count) => {
    await stage.messages(count);
    await untilTold(stage);
  };
  const size = quick ? 300 : 5_000;
  const warmUp = quick ? 100 : 1_000;
  for (const work of [stage.messages, stage.sms, stage.clicks, stage.calls]) await work?.(warmUp);
  await stage.database.client.query('vacuum analyze');
  const meter = await makeMeter(stage.database, stage.parley);

  const figures: Figure[] = [];
  const measure = async (what: string, count: number, work: Work): Promise<void> => {
    const { perSecond, ...spent } = await meter(count, () => work(count));
    progress(`${what}: ${rounded(spent)}`);
    figures.push({
      row: 'costs',
      what: `${what}: processor time of Parley and PostgreSQL`,
      figure: spent.nodeUs + spent.postgresUs,
      unit: 'µs',
      details: { ...spent, 'at so many a second': perSecond },
    });
  };
  await measure('a chat message, READ', size, stage.messages);
  await measure('an SMS, DELIVERED', size, stage.sms);
  await measure('a click', size, stage.clicks);
  if (stage.calls) await measure('a call, forwarded', Math.ceil(size / 5), stage.calls);
  await listen(stage);
  await told(warmUp);
  await measure('a chat message, READ, each step told to a webhook', size, told);
  return figures;
}

/**
 * The model of `docs/scale.md` against a mix of traffic that was not used to make it: what all of it together was to cost, and what it
 * did. Twice: as much as the machine takes, and an eighth of that at a time.
 */
export async function model({ scope, quick, progress }: Run): Promise<Figure[]> {
  const stage = await setUpStage(scope);
  await listen(stage);
  const mix: Traffic = { messages: 700, sms: 300, clicks: 200, calls: stage.calls ? 10 : 0 };
  const once = async (part: number): Promise<void> => {
    const works = Object.entries(mix).map(([kind, count]) => stage[kind as keyof Traffic]?.(Math.ceil(count * part)));
    await Promise.all(works);
    await untilTold(stage);
  };
  for (let turn = 0; turn < (quick ? 1 : 3); turn++) await once(1);
  const meter = await makeMeter(stage.database, stage.parley);
  const figures: Figure[] = [];
  for (const [name, part, turns] of [
    ['all at once', 1, quick ? 1 : 5],
    ['an eighth at a time', 1 / 8, quick ? 8 : 24],
  ] as const) {
    const spent = await meter(1, async () => {
      for (let turn = 0; turn < turns; turn++) await once(part);
    });
    const expected = predict(mix, turns * part);
    progress(`${name}: ${rounded(spent)} of ${rounded(expected)}`);
    figures.push(...compare(name, spent, expected));
  }
  return figures;
}

function compare(name: string, spent: Spent, expected: Prediction): Figure[] {
  const cpu = [spent.nodeUs + spent.postgresUs, expected.nodeUs + expected.postgresUs] as const;
  return [
    ['processor time', 's', cpu[0] / 1e6, cpu[1] / 1e6] as const,
    ['WAL', 'MB', spent.walBytes / 1e6, expected.walBytes / 1e6] as const,
  ].map(([what, unit, figure, reference]) => ({
    row: 'model',
    what: `${what} of a mix of traffic, ${name}`,
    figure,
    unit,
    reference: { what: 'as docs/scale.md counts', figure: reference },
    ratio: figure / reference,
    target: `ratio within ${(1 / most).toFixed(2)} to ${most}`,
    met: figure / reference <= most && figure / reference >= 1 / most,
  }));
}

const rounded = (spent: object): string =>
  JSON.stringify(spent, (_, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value));
