import { Anchor, SegmentedControl } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Link } from 'wouter';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, NewLink, Time, TwoLines, useFilters } from '../../../parts/index.ts';
import { sayScopes } from '../scopes.ts';
import { SettingsPage } from '../settings-page.tsx';
import { RevokeButton } from './revoke.tsx';

const columns: Column<Row<'/v2/auth/tokens/'>>[] = [
  {
    title: 'Name',
    important: true,
    width: 'minmax(10rem, 2fr)',
    render: (row) => <TwoLines first={row.name} second={row.purpose} />,
  },
  {
    title: 'May do',
    width: 'minmax(8rem, 2fr)',
    render: (row) => (
      <TwoLines
        first={<span title={row.scopes.join(', ')}>{sayScopes(row.scopes)}</span>}
        second={row.resources && `Only ${row.resources.join(', ')}`}
      />
    ),
  },
  { title: 'Created by', width: 'minmax(7rem, 1fr)', render: (row) => row.created_by ?? '' },
  {
    title: 'Last used',
    width: '9rem',
    render: (row) =>
      row.last_used ? (
        <TwoLines first={<Time at={row.last_used} />} second={`from ${row.last_used_address}`} />
      ) : (
        'Never'
      ),
  },
  { title: 'Expires', width: '8rem', render: (row) => (row.expires ? <Time at={row.expires} /> : 'Never') },
  { title: 'Created', width: '8rem', sort: 'created', important: true, render: (row) => <Time at={row.created} /> },
  {
    title: 'Did',
    width: '6rem',
    render: (row) =>
      row.kind === 'API' && (
        <Anchor
          component={Link}
          href={`/settings/audit-log?actor=${row.uuid}`}
          size="sm"
          aria-label={`Activity of ${row.name}`}
        >
          Activity
        </Anchor>
      ),
  },
  { title: 'Revoke', width: '7rem', important: true, render: (row) => <RevokeButton token={row} /> },
];

const create = <NewLink href="/settings/tokens/new">New token</NewLink>;

/** The tokens of programs, and the sessions of browsers. */
export function ListOfTokens() {
  const filters = useFilters([{ kind: 'dates' }]);
  const kind = filters.get('kind') === 'SESSION' ? 'SESSION' : 'API';
  const list = useList('/v2/auth/tokens/', { ...filters.query, kind });
  return (
    <SettingsPage
      tab="/settings/tokens"
      description="Programs use tokens; a browser that is signed in has a session. Either ends at once when it is revoked."
      actions={create}
    >
      <Listing
        one={kind === 'API' ? 'token' : 'session'}
        label={kind === 'API' ? 'Tokens' : 'Sessions'}
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={60}
        always
        controls={
          <SegmentedControl
            aria-label="Kind"
            data={[
              { value: 'API', label: 'Tokens' },
              { value: 'SESSION', label: 'Sessions' },
            ]}
            value={kind}
            onChange={(value) => filters.set('kind', value === 'API' ? '' : value)}
          />
        }
        icon={IconKey}
        hint="A program needs one to use the API."
        action={create}
      />
    </SettingsPage>
  );
}
