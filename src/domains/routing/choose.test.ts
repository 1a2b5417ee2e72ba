import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bodyValidator } from '../../platform/http/validation/index.ts';
import { choose, draw, type Facts } from './choose.ts';
import { dayNames, type Route, type RouteConditions, type RouteDestination, Route as RouteSchema } from './schemas.ts';

const facts: Facts = {
  dialled: '442079460100',
  caller: '447700900123',
  callerCountry: 'GB',
  lists: new Set(),
  at: new Date('2026-11-16T10:00:00Z'),
  zone: 'UTC',
  country: 'GB',
  text: '',
  digits: '',
  random: 0.5,
  available: new Map(),
};
const to = (number: string): RouteDestination => ({ type: 'NUMBER', numbers: [number] });
const order = (routes: Route[], more: Partial<Facts> = {}, fallback: RouteDestination | null = null) =>
  choose({ routes, fallback }, { ...facts, ...more }).destinations.map(({ route }) => route);

describe('choose', () => {
  test('routes that match come in order, then the fallback', () => {
    const routes = [
      { conditions: { caller_countries: ['FR'] }, destination: to('1') },
      { conditions: { caller_prefixes: ['+4477'] }, destination: to('2') },
      { destination: to('3') },
    ];
    assert.deepEqual(order(routes, {}, { type: 'HANGUP' }), [1, 2, null]);
    assert.deepEqual(order(routes, { caller: '', callerCountry: null }), [2], 'a withheld number fits no condition');
  });

  test('of neighbours in a group one is drawn by weight, and the others follow', () => {
    const routes = [
      { group: 'a', weight: 3, destination: to('1') },
      { group: 'a', weight: 1, destination: to('2') },
      { destination: to('3') },
      { group: 'a', weight: 1, destination: to('4') },
    ];
    const firsts = Array.from({ length: 4000 }, (_, index) => order(routes, { random: index / 4000 }));
    assert.ok(firsts.every((found) => found.length === 4 && found[2] === 2 && found[3] === 3));
    const share = firsts.filter(([first]) => first === 0).length / firsts.length;
    assert.ok(Math.abs(share - 0.75) < 0.03, `three in four, and not ${share}`);
  });

  test('percentages of several routes are drawn apart', () => {
    const half = { percentage: 50 };
    const routes = [0, 1].map((place) => ({ conditions: half, destination: to(String(place)) }));
    const drawn = Array.from({ length: 4000 }, (_, index) => order(routes, { random: index / 4000 }).join());
    for (const outcome of ['', '0', '1', '0,1']) {
      const share = drawn.filter((one) => one === outcome).length / drawn.length;
      assert.ok(Math.abs(share - 0.25) < 0.03, `${outcome}: a quarter, and not ${share}`);
    }
  });

  test('every condition says what it found', () => {
    const conditions = {
      keywords: ['viewing'],
      weekdays: ['MONDAY' as const],
      time_windows: [{ start: '11:00', end: '12:00' }],
    };
    const { routes } = choose(
      { routes: [{ conditions, destination: to('1') }], fallback: null },
      { ...facts, text: 'A viewing?' },
    );
    assert.deepEqual(routes, [
      {
        matches: false,
        drawn: null,
        conditions: [
          { condition: 'time_windows', holds: false, found: '10:00' },
          { condition: 'weekdays', holds: true, found: 'MONDAY' },
          { condition: 'keywords', holds: true, found: 'viewing' },
        ],
      },
    ]);
  });
});

const zones = ['UTC', 'Europe/London', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
const calendars = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' }),
  ]),
);

/** The same by the words of docs/routing.md, with none of the code under test but the draw, which they name. */
function reference(routes: Route[], fallback: RouteDestination | null, facts: Facts): (number | null)[] {
  const matching = new Set(routes.keys().filter((place) => holds(routes[place]!.conditions ?? {}, facts, place)));
  const tried: (number | null)[] = [];
  const left = [...matching].sort((a, b) => a - b);
  while (left.length > 0) {
    const start = left[0]!;
    const { group } = routes[start]!;
    let [first, last] = [start, start];
    while (group != null && last + 1 < routes.length && routes[last + 1]!.group === group) last++;
    while (group != null && first > 0 && routes[first - 1]!.group === group) first--;
    const together = left.filter((place) => place >= first && place <= last);
    const tickets = together.flatMap((place) => Array.from({ length: routes[place]!.weight ?? 1 }, () => place));
    const winner =
      together.length === 1 ? start : tickets[Math.floor(draw(facts.random, 2 * start + 1) * tickets.length)]!;
    tried.push(winner, ...together.filter((place) => place !== winner));
    left.splice(0, together.length);
  }
  return fallback ? [...tried, null] : tried;
}

function holds(wanted: RouteConditions, facts: Facts, place: number): boolean {
  const parts = calendars.get(wanted.time_zone ?? facts.zone)!.format(facts.at);
  const [date, time] = parts.split(', ') as [string, string];
  const day = dayNames[(new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7]!;
  const inside = ({ start, end }: { start: string; end: string }) =>
    start < end ? start <= time && time < end : time >= start || time < end;
  const digitsOf = (text: string) => [...text].filter((sign) => sign >= '0' && sign <= '9').join('');
  const { agent, skill } = wanted.agent_available ?? {};
  return [
    !wanted.dialled_numbers || wanted.dialled_numbers.map(digitsOf).includes(facts.dialled),
    !wanted.dialled_prefixes || wanted.dialled_prefixes.some((prefix) => facts.dialled.indexOf(digitsOf(prefix)) === 0),
    !wanted.caller_countries || wanted.caller_countries.some((country) => country === facts.callerCountry),
    !wanted.caller_prefixes || wanted.caller_prefixes.some((prefix) => facts.caller.indexOf(digitsOf(prefix)) === 0),
    !wanted.caller_lists || wanted.caller_lists.some((list) => facts.lists.has(list)),
    !wanted.time_windows || wanted.time_windows.some(inside),
    !wanted.weekdays || wanted.weekdays.some((name) => name === day),
    !wanted.holidays || wanted.holidays.dates.some((one) => one === date) === wanted.holidays.on,
    !wanted.keywords ||
      wanted.keywords.some((word) => facts.text.toLowerCase().split(' ').includes(word.toLowerCase())),
    !wanted.digits || wanted.digits.some((digits) => digits === facts.digits),
    !wanted.percentage || draw(facts.random, 2 * place) < wanted.percentage / 100,
    !wanted.agent_available || facts.available.get(agent ? `agent ${agent}` : `skill ${skill}`) === true,
  ].every(Boolean);
}

const numbers = ['442079460100', '442079460101', '33145678901', '12125550100'];
const lists = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'];
const words = ['price', 'Viewing', 'STOCK'];
const dates = ['2026-03-28', '2026-03-29', '2026-03-30'];
const clock = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`);
const some = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(fc.array(arbitrary, { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 1 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const conditions = fc
  .record({
    dialled_numbers: some(fc.constantFrom(...numbers.map((number) => `+${number}`))),
    dialled_prefixes: some(fc.constantFrom('+44', '33', '+1212', '4420')),
    caller_countries: some(fc.constantFrom('GB', 'FR', 'US')),
    caller_prefixes: some(fc.constantFrom('+44', '33', '+1')),
    caller_lists: some(fc.constantFrom(...lists)),
    time_zone: fc.option(fc.constantFrom(...zones)),
    time_windows: some(fc.record({ start: clock, end: clock }).filter(({ start, end }) => start !== end)),
    weekdays: some(fc.constantFrom(...dayNames)),
    holidays: rarely(fc.record({ on: fc.boolean(), dates: fc.subarray(dates, { minLength: 1 }) })),
    keywords: some(fc.constantFrom(...words)),
    digits: some(fc.constantFrom('1', '2', '12')),
    percentage: rarely(fc.integer({ min: 1, max: 100 })),
    agent_available: rarely(
      fc.constantFrom<{ agent: string } | { skill: string }>({ agent: lists[0]! }, { skill: 'sales' }),
    ),
  })
  // A few conditions each: of many, one would nearly always fail.
  .chain((all) =>
    fc
      .subarray(Object.keys(all))
      .map((kept) => kept.slice(0, 3))
      .map((kept) => pickOf(all, kept)),
  );
const pickOf = (all: object, kept: string[]): RouteConditions =>
  Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && (kept.includes(name) || name === 'time_zone')),
  );
const route = fc.record(
  {
    conditions,
    destination: fc.constant(to('1')),
    group: fc.constantFrom(null, null, 'a', 'b'),
    weight: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: ['destination'] },
) as fc.Arbitrary<Route>;
const anyFacts: fc.Arbitrary<Facts> = fc.record({
  dialled: fc.constantFrom(...numbers),
  caller: fc.constantFrom('', ...numbers),
  callerCountry: fc.constantFrom(null, 'GB', 'FR', 'US'),
  lists: fc.subarray(lists).map((found) => new Set(found)),
  at: fc.date({ min: new Date('2026-03-27T12:00:00Z'), max: new Date('2026-03-31'), noInvalidDate: true }),
  zone: fc.constantFrom(...zones),
  country: fc.constant('GB'),
  text: fc.array(fc.constantFrom(...words, 'other', 'PRICE', 'prices')).map((found) => found.join(' ')),
  digits: fc.constantFrom('', '1', '2', '12', '3'),
  random: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((value) => value / 2 ** 32),
  available: fc
    .subarray([`agent ${lists[0]}`, 'skill sales'])
    .map((keys) => new Map(keys.map((key) => [key, true] as const))),
});

test('3,000 configs are decided as a naive reading of their words decides them', () => {
  let [matched, drawn] = [0, 0];
  const fallback = fc.constantFrom(null, { type: 'HANGUP' as const });
  fc.assert(
    fc.property(fc.array(route, { maxLength: 8 }), fallback, anyFacts, (routes, fallback, facts) => {
      const choice = choose({ routes, fallback }, facts);
      const found = choice.destinations.map(({ route }) => route);
      assert.deepEqual(found, reference(routes, fallback, facts));
      matched += choice.routes.filter(({ matches }) => matches).length;
      drawn += choice.routes.filter(({ drawn }) => drawn).length;
    }),
    { numRuns: 3_000 },
  );
  assert.ok(matched > 1500 && drawn > 150, `the configs are worth the test: ${matched} matches, ${drawn} draws`);
});

/** Digits as people write them: a plus or 00 before them or nothing, and marks between them. */
const written = (digits: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '+', '00', ' +', '(+', '00 '),
      fc.array(fc.constantFrom('', '', '', ' ', '-', '.', ' (', ') ', '\u00a0'), {
        minLength: digits.length,
        maxLength: digits.length,
      }),
    )
    .map(([start, marks]) => start + [...digits].map((digit, place) => digit + marks[place]).join(''))
    // A zero in brackets is none of the number's.
    .filter((text) => !text.includes('(0)'));
const problems = bodyValidator(RouteSchema);

test('the beginning of a number is one however it is written, and fits those who begin with it', () => {
  const prefix = fc
    .tuple(fc.constantFrom(...numbers), fc.integer({ min: 1, max: 12 }))
    .map(([number, length]) => number.slice(0, length))
    .chain((digits) => fc.record({ digits: fc.constant(digits), text: written(digits) }));
  let fitting = 0;
  fc.assert(
    fc.property(prefix, fc.constantFrom('', ...numbers), ({ digits, text }, number) => {
      for (const name of ['caller_prefixes', 'dialled_prefixes'] as const) {
        const route: Route = { conditions: { [name]: [text] }, destination: to('447700900301') };
        assert.equal(problems(route), null, `"${text}" is accepted`);
        const { routes } = choose({ routes: [route], fallback: null }, { ...facts, caller: number, dialled: number });
        assert.equal(routes[0]!.matches, number.indexOf(digits) === 0, `"${text}" and ${number}`);
        fitting += Number(routes[0]!.matches);
      }
    }),
    { numRuns: 1_000 },
  );
  assert.ok(fitting > 150, `many fit: ${fitting}`);
});

test('the zero in brackets is for those who dial within the country, and zeros alone begin no number', () => {
  const fits = (prefix: string) =>
    order([{ conditions: { caller_prefixes: [prefix] }, destination: to('1') }], { caller: '442079460100' }).length ===
    1;
  assert.deepEqual(['+44 (0)20', '0044 (0) 20', '020', '030', '00', '+0'].map(fits), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  const refused = ['00', '0', '+(0)', '', '+', '44x', '1234567890123456'];
  const accepted = refused.filter(
    (prefix) => !problems({ conditions: { caller_prefixes: [prefix] }, destination: to('447700900301') }),
  );
  assert.deepEqual(accepted, []);
});
