import { Button, Collapse, Group, Select, type SelectProps, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconFilter, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHere } from '../account.tsx';
import { dayEnd, dayStart } from '../day.ts';
import { useNarrow } from '../page/narrow.ts';

export type Option = string | { value: string; label: string };

export type Filter<Name extends string = string> =
  | { kind: 'search'; name: Name; label: string }
  | { kind: 'select'; name: Name; label: string; options: readonly Option[] }
  /** What it offers has to be asked for: a hook does so once it is wanted, that is when somebody goes to the filter, or has chosen. */
  | { kind: 'late-select'; name: Name; label: string; useOptions(isWanted: boolean): readonly Option[] }
  /** Has a control of its own, among the children of `Filters`, or none: a link brings it. */
  | { kind: 'other'; name: Name; label?: never }
  /** From and to, as `created_after` and `created_before`, in whole days of the account's time zone. */
  | { kind: 'dates'; name?: never; label?: string };

type LateSelect = Extract<Filter, { kind: 'late-select' }>;

export interface FilterState<Name extends string = string> {
  filters: readonly Filter<Name>[];
  /** For `useList`. Its names are those of the API. */
  query: { [K in Name | 'created_after' | 'created_before' | 'ordering']?: string };
  /** Whether anything is filtered: an empty list then means something else. */
  active: boolean;
  get(name: string): string;
  set(name: string, value: string): void;
  clear(): void;
  /** For `DataTable`. */
  ordering: { value: string; set(value: string): void };
}

/**
 * Filters that live in the query string of the address, so that a link keeps them and Back undoes them.
 * `const filters = useFilters([{ kind: 'search', name: 'q', label: 'Search' }, { kind: 'dates' }])`,
 * then `useList(path, filters.query)` and `<Filters state={filters} />`.
 */
export function useFilters<const Name extends string>(
  filters: readonly Filter<Name>[],
  { defaultOrdering = '-created' } = {},
): FilterState<Name> {
  const [params, setParams] = useSearchParams();
  const { timeZone } = useHere();
  const get = (name: string) => params.get(name) ?? '';
  const set = (name: string, value: string) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const names = filters.flatMap((filter) => (filter.kind === 'dates' ? [] : [filter.name]));
  const query: Record<string, string> = {};
  for (const name of [...names, 'ordering']) if (get(name)) query[name] = get(name);
  const dated = filters.some(({ kind }) => kind === 'dates');
  if (dated && get('from')) query['created_after'] = dayStart(get('from'), timeZone);
  if (dated && get('to')) query['created_before'] = dayEnd(get('to'), timeZone);
  const mine = filters.flatMap(namesOf);
  return {
    filters,
    query: query as FilterState<Name>['query'],
    active: mine.some((name) => get(name) !== ''),
    get,
    set,
    clear: () =>
      setParams((old) => new URLSearchParams([...old].filter(([name]) => !mine.includes(name))), {
        replace: true,
      }),
    ordering: { value: get('ordering') || defaultOrdering, set: (value) => set('ordering', value) },
  };
}

interface FiltersProps<Name extends string> {
  state: FilterState<Name>;
  /** Filters of other kinds. */
  children?: ReactNode;
}

/** The row of filters above a table. On a phone all but the first search are behind a button that counts them. */
export function Filters<Name extends string>({ state, children }: FiltersProps<Name>) {
  const narrow = useNarrow();
  const [opened, { toggle }] = useDisclosure();
  const { filters } = state;
  const [first] = filters;
  const folds = narrow && filters.length > 1;
  const search = folds && first?.kind === 'search' ? first : undefined;
  const rest = filters.filter((filter) => filter !== search);
  const used = rest.filter((filter) => namesOf(filter).some((name) => state.get(name) !== '')).length;
  const controls = (
    <Group gap="sm" align="flex-end">
      {rest.map((filter) => (
        <Control key={filter.name ?? 'dates'} filter={filter} state={state} />
      ))}
      {children}
      {state.active && (
        <Button variant="subtle" color="gray" leftSection={<IconX size={16} />} onClick={state.clear}>
          Clear
        </Button>
      )}
    </Group>
  );
  if (!folds)
    return (
      <Group component="search" mb="md">
        {controls}
      </Group>
    );
  return (
    <search style={{ display: 'block', marginBottom: 'var(--mantine-spacing-md)' }}>
      <Group gap="sm" wrap="nowrap">
        {search && (
          <div style={{ flex: 1, minWidth: 0 }}>
            <Control filter={search} state={state} />
          </div>
        )}
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          aria-expanded={opened}
          onClick={toggle}
          style={{ flexShrink: 0 }}
        >
          {used > 0 ? `Filters (${used})` : 'Filters'}
        </Button>
      </Group>
      <Collapse expanded={opened} pt="sm">
        {controls}
      </Collapse>
    </search>
  );
}

/** What a filter is called in the address. */
const namesOf = (filter: Filter): string[] => (filter.kind === 'dates' ? ['from', 'to'] : [filter.name]);

function Control<Name extends string>({ filter, state }: { filter: Filter<Name>; state: FilterState<Name> }) {
  switch (filter.kind) {
    case 'search':
      return (
        <Search label={filter.label} value={state.get(filter.name)} set={(text) => state.set(filter.name, text)} />
      );
    case 'select':
      return <Choice {...filter} state={state} />;
    case 'late-select':
      return <LateChoice {...filter} state={state} />;
    case 'other':
      return null;
    case 'dates':
      return (
        <Group gap="xs" role="group" aria-label={filter.label ?? 'Created'}>
          <TextInput
            type="date"
            aria-label="From"
            title="From"
            max={state.get('to')}
            value={state.get('from')}
            onChange={(event) => state.set('from', event.currentTarget.value)}
          />
          <span aria-hidden>–</span>
          <TextInput
            type="date"
            aria-label="To"
            title="To"
            min={state.get('from')}
            value={state.get('to')}
            onChange={(event) => state.set('to', event.currentTarget.value)}
          />
        </Group>
      );
  }
}

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly Option[];
  state: FilterState<string>;
}

const Choice = ({ name, label, options, state, ...more }: ChoiceProps & Pick<SelectProps, 'onFocus'>) => (
  <Select
    {...more}
    aria-label={label}
    placeholder={label}
    data={[...options]}
    value={state.get(name) || null}
    onChange={(value) => state.set(name, value ?? '')}
    clearable
    searchable={options.length > 8}
    // Two beside each other on a phone.
    w={{ base: 'calc(50% - 0.375rem)', xs: 180 }}
  />
);

/** Something that a link names is shown as chosen, even if it is not offered, or not yet. */
function LateChoice({ useOptions, ...rest }: Omit<ChoiceProps, 'options'> & Pick<LateSelect, 'useOptions'>) {
  const chosen = rest.state.get(rest.name);
  const [isVisited, setVisited] = useState(false);
  const offered = useOptions(isVisited || chosen !== '');
  const isOffered = offered.some((option) => (typeof option === 'string' ? option : option.value) === chosen);
  const asked = { value: chosen, label: offered.length > 0 ? chosen : '…' };
  const options = chosen === '' || isOffered ? offered : [...offered, asked];
  return <Choice {...rest} options={options} onFocus={() => setVisited(true)} />;
}

/** Text goes into the address when one pauses in typing. */
function Search({ label, value, set }: { label: string; value: string; set(text: string): void }) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 300);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
      w={{ base: '100%', xs: 260 }}
    />
  );
}
