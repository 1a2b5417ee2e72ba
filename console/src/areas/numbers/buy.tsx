import { Badge, Button, Group } from '@mantine/core';
import { useLocation } from 'wouter';
import { type Row, type Schema, useAct, useList, useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { countryName, countryOptions } from '../../parts/fields/country.ts';
import {
  type Column,
  confirm,
  DataTable,
  EmptyState,
  Filters,
  Page,
  Phone,
  sayFigure,
  useFilters,
  usePhoneFormat,
} from '../../parts/index.ts';

type Item = Row<'/v2/number/search/'>;

const kinds = [
  { value: 'VOICE', label: 'Calls' },
  { value: 'SMS', label: 'SMS' },
];
const kindName = (word: string) => kinds.find(({ value }) => value === word)?.label ?? word;
const digits = (text: string | undefined) => text?.replaceAll(/\D/g, '') ?? '';

/** Finds numbers that can be bought, and buys one. */
export function BuyNumber() {
  const [, navigate] = useLocation();
  const { defaultCountry } = useHere();
  const say = usePhoneFormat();
  const prefixes = useList('/v2/number/prefixes/', {}, { pageSize: 200 });
  const countries = countryOptions(prefixes.rows.map(({ country }) => country));
  const filters = useFilters([
    { kind: 'select', name: 'country_code', label: 'Country', options: countries },
    { kind: 'search', name: 'prefix', label: 'Begins with (area code)' },
    { kind: 'select', name: 'capabilities', label: 'Can do', options: kinds },
    { kind: 'search', name: 'contains', label: 'Contains digits' },
  ]);
  const { country_code: chosen, capabilities, prefix, contains } = filters.query;
  const prices = useOne('/v2/account/').data?.prices;
  // It opens on the country of the account, as long as there is something to buy.
  const isOffered = prefixes.rows.some(({ country }) => country === defaultCountry);
  const country = chosen ?? (isOffered && !filters.active ? defaultCountry : undefined);
  const list = useList(
    '/v2/number/search/',
    { country_code: country, capabilities, prefix: digits(prefix), contains: digits(contains) },
    { enabled: !prefixes.isLoading },
  );
  const buy = useAct('post', '/v2/number/', {
    invalidates: ['/v2/number/'],
    done: 'The number is yours.',
    onDone: ({ number }) => navigate(`/numbers/${number}`),
  });
  const ask = async ({ number, country: of }: Item) => {
    const yes = await confirm({
      title: `Buy ${say(number)}?`,
      text: `A number in ${countryName(of)}. ${sayPrice(prices)} It is billed by the month, beginning today, until you release it.`,
      button: 'Buy',
      harmless: true,
    });
    if (yes) buy.mutate({ body: { number } });
  };
  const columns: Column<Item>[] = [
    { title: 'Number', important: true, width: 'minmax(12rem, 1fr)', render: (row) => <Phone number={row.number} /> },
    { title: 'Country', width: 'minmax(8rem, 1fr)', render: (row) => countryName(row.country) },
    { title: 'Area', width: '6rem', render: (row) => row.prefix },
    { title: 'Carrier', width: '8rem', render: (row) => (row.carrier === 'sandbox' ? 'Fictional' : row.carrier) },
    {
      title: 'Can do',
      width: 'minmax(10rem, 1fr)',
      render: (row) => (
        <Group gap={4}>
          {row.capabilities.map((word) => (
            <Badge key={word} variant="light" color="gray" tt="none" size="sm">
              {kindName(word)}
            </Badge>
          ))}
        </Group>
      ),
    },
    ...(prices?.number_month === undefined
      ? []
      : [{ title: 'Per month', width: '7rem', align: 'right' as const, render: () => sayMoney(prices) }]),
    {
      title: 'Buy',
      important: true,
      width: '7rem',
      align: 'right',
      render: (row) => (
        <Button
          size="xs"
          variant="light"
          aria-label={`Buy ${row.number}`}
          loading={buy.isPending && buy.variables?.body !== undefined && numberIn(buy.variables.body) === row.number}
          onClick={() => void ask(row)}
        >
          Buy
        </Button>
      ),
    },
  ];
  const empty = filters.active ? (
    <EmptyState
      title="No number that can be bought fits."
      hint="Leave out the digits or the area code. The operator adds numbers to the pool."
    />
  ) : (
    <EmptyState title="The pool is empty." hint="The operator adds numbers with POST /v2/number/pool/." />
  );
  return (
    <Page
      title="Buy a number"
      trail={[{ title: 'Numbers', href: '/numbers' }]}
      description={
        country
          ? `${countryName(country)}. ${areasOf(prefixes.rows, country)}`
          : `Choose a country; yours is ${countryName(defaultCountry)}. Every number here can be used at once.`
      }
    >
      <Filters state={filters} />
      <DataTable
        label="Numbers that can be bought"
        list={list}
        columns={columns}
        empty={empty}
        onOpen={(row) => void ask(row)}
      />
    </Page>
  );
}

type Prices = Schema<'Account'>['prices'] | undefined;

function sayMoney(prices: Prices): string {
  if (prices?.number_month === undefined) return '';
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency: prices.currency }).format(prices.number_month);
  } catch {
    return `${prices.number_month} ${prices.currency}`;
  }
}

const sayPrice = (prices: Prices): string =>
  prices?.number_month === undefined
    ? 'Its price is not set under Settings, Account.'
    : `It costs ${sayMoney(prices)} a month.`;

const numberIn = (body: object): unknown => (body as { number?: unknown }).number;

function areasOf(prefixes: Row<'/v2/number/prefixes/'>[], country: string): string {
  const areas = prefixes.filter((one) => one.country === country);
  const named = areas.slice(0, 8).map(({ prefix, available }) => `${prefix} (${sayFigure(available)})`);
  const more = areas.length > named.length ? ', and more' : '';
  return named.length === 0 ? '' : `Areas and how many are free: ${named.join(', ')}${more}.`;
}
