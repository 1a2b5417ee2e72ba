import { Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useHere } from '../account.tsx';
import { lastDays, lengthOf, type Span, todayIn } from './span.ts';

export type Comparison = 'none' | 'previous' | 'year';

export interface Range extends Span {
  compare: Comparison;
}

const presets = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'Year' },
];
const comparisons = [
  { value: 'none', label: 'No comparison' },
  { value: 'previous', label: 'Previous period' },
  { value: 'year', label: 'Same days last year' },
];
const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);

/** The days that a page is about, and what they are compared with. They live in the address. */
export function useRange(usualDays: number): { range: Range; set(change: Partial<Range>): void } {
  const [params, setParams] = useSearchParams();
  const { timeZone } = useHere();
  const usual = lastDays(todayIn(timeZone), usualDays);
  const [from, to, compare] = [params.get('from'), params.get('to'), params.get('compare')];
  const last = isDay(to) ? to : usual.to;
  const first = isDay(from) ? from : usual.from;
  const range: Range = {
    from: first > last ? last : first,
    to: last,
    compare: comparisons.some(({ value }) => value === compare) ? (compare as Comparison) : 'previous',
  };
  const set = (change: Partial<Range>) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        for (const [name, value] of Object.entries(change)) next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return { range, set };
}

/** Chooses them: `const { range, set } = useRange(30)`, then `<RangeField range={range} set={set} />`. */
export function RangeField({ range, set }: ReturnType<typeof useRange>) {
  const { timeZone } = useHere();
  const today = todayIn(timeZone);
  const preset = range.to === today ? String(lengthOf(range)) : '';
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label="Range"
        data={presets}
        value={presets.some(({ value }) => value === preset) ? preset : ''}
        onChange={(value) => set(lastDays(today, Number(value)))}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          aria-label={name === 'from' ? 'From' : 'To'}
          title={name === 'from' ? 'From' : 'To'}
          max={name === 'from' ? range.to : today}
          value={range[name]}
          onChange={(event) => event.currentTarget.value && set({ ...range, [name]: event.currentTarget.value })}
        />
      ))}
      <Select
        aria-label="Compare with"
        data={comparisons}
        allowDeselect={false}
        value={range.compare}
        onChange={(value) => value && set({ compare: value as Comparison })}
        w={190}
      />
    </Group>
  );
}
