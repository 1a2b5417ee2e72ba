import { Button, Text } from '@mantine/core';
import { IconHash, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { countryName, countryOptions } from '../../parts/fields/country.ts';
import { type Column, Listing, NewLink, Page, Phone, Time, useFilters } from '../../parts/index.ts';
import { FeatureBadges, features } from './features.tsx';

type Item = Row<'/v2/number/'>;

const columns: Column<Item>[] = [
  {
    title: 'Number',
    sort: 'number',
    important: true,
    width: 'minmax(10rem, 1fr)',
    render: (row) => <Phone number={row.number} />,
  },
  {
    title: 'Country',
    width: '5.5rem',
    render: (row) => <abbr title={countryName(row.country)}>{row.country}</abbr>,
  },
  {
    title: 'Rings',
    width: 'minmax(10rem, 1fr)',
    render: (row) =>
      row.target_number ? (
        <Phone number={row.target_number} />
      ) : (
        <Text size="sm" c="dimmed">
          No target
        </Text>
      ),
  },
  {
    title: 'Features',
    important: true,
    width: 'minmax(13rem, 2fr)',
    render: (row) => <FeatureBadges names={row.features} most={3} />,
  },
  {
    title: 'Last called',
    width: '7rem',
    render: (row) => (row.last_called ? <Time at={row.last_called} /> : <Text size="sm">Never</Text>),
  },
  { title: 'Bought', width: '7rem', sort: 'created', render: (row) => <Time at={row.issued_date} /> },
];

const buy = <NewLink href="/numbers/buy">Buy a number</NewLink>;

const useCountries = (enabled: boolean) =>
  countryOptions(useList('/v2/number/prefixes/', {}, { pageSize: 200, enabled }).rows.map(({ country }) => country));

/** The numbers that the account has. */
export function NumberList() {
  const filters = useFilters([
    { kind: 'search', name: 'search', label: 'Number, label or keyword' },
    {
      kind: 'select',
      name: 'feature',
      label: 'Feature',
      options: features.map(({ name, title }) => ({ value: name, label: title })),
    },
    { kind: 'select', name: 'capability', label: 'Can do', options: ['VOICE', 'SMS'] },
    { kind: 'late-select', name: 'country', label: 'Country', useOptions: useCountries },
  ]);
  const list = useList('/v2/number/', filters.query);
  useLiveRefresh(['number.', 'call.started'], ['/v2/number/']);
  return (
    <Page
      title="Numbers"
      description="Your phone numbers for calls and SMS."
      actions={
        <>
          <Button variant="default" component={Link} href="/numbers/facts" leftSection={<IconInfoCircle size={16} />}>
            Look up a number
          </Button>
          {buy}
        </>
      }
    >
      <Listing
        one="number"
        label="Numbers"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={64}
        href={(row) => `/numbers/${row.number}`}
        icon={IconHash}
        hint="Buy a number for calls and SMS. In the sandbox, numbers are free."
        action={buy}
      />
    </Page>
  );
}
