import { IconHistory } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, CsvButton, Listing, Status, Time, TwoLines, useFilters } from '../../../parts/index.ts';
import { SettingsPage } from '../settings-page.tsx';
import { EntryDialog } from './entry.tsx';

type Entry = Row<'/v2/audit-log/'>;

const columns: Column<Entry>[] = [
  {
    title: 'What',
    important: true,
    width: 'minmax(14rem, 3fr)',
    render: (row) => <TwoLines first={row.summary} second={`${row.method} ${row.path}`} />,
  },
  {
    title: 'Who',
    important: true,
    width: 'minmax(9rem, 1fr)',
    render: ({ actor }) => <TwoLines first={actor.name} second={actor.type === 'USER' ? 'User' : 'Token'} />,
  },
  {
    title: 'Result',
    width: '8rem',
    render: (row) =>
      row.status < 400 ? <Status word="DONE" label="Done" /> : <Status word="FAILED" label={`Refused ${row.status}`} />,
  },
  { title: 'From', width: '9rem', render: (row) => row.address },
  { title: 'When', width: '8rem', sort: 'created', important: true, render: (row) => <Time at={row.created} /> },
];

/** Who changed what, and who signed in. */
export function AuditLog() {
  const users = useList('/v2/users/', undefined, { pageSize: 200 });
  const tokens = useList('/v2/auth/tokens/', { kind: 'API' }, { pageSize: 200 });
  const latest = useList('/v2/audit-log/', undefined, { pageSize: 200 });
  const [shown, setShown] = useState<Entry | null>(null);
  const options = useMemo(
    () => optionsOf(users.rows, tokens.rows, latest.rows),
    [users.rows, tokens.rows, latest.rows],
  );
  const filters = useFilters([
    { kind: 'select', name: 'actor', label: 'Who', options: options.actors },
    { kind: 'select', name: 'operation', label: 'What', options: options.operations },
    { kind: 'dates' },
  ]);
  const list = useList('/v2/audit-log/', filters.query);
  return (
    <SettingsPage
      tab="/settings/audit-log"
      description="Every change of settings and data, and every sign-in. Messages, calls and other traffic are not here: they have their own lists."
      actions={<CsvButton path="/v2/audit-log/" query={filters.query} filename="audit-log.csv" />}
    >
      <Listing
        one="entry"
        label="Audit log"
        list={list}
        columns={columns}
        filters={filters}
        rowHeight={60}
        onOpen={setShown}
        icon={IconHistory}
        none="Nothing was changed yet."
      />
      {shown && <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </SettingsPage>
  );
}

interface Named {
  value: string;
  label: string;
}

/** Who and what can be chosen: those that exist, and those that the last entries name. */
function optionsOf(
  users: Row<'/v2/users/'>[],
  tokens: Row<'/v2/auth/tokens/'>[],
  entries: Entry[],
): { actors: Named[]; operations: Named[] } {
  const actors = new Map<string, string>();
  for (const { actor } of entries) actors.set(actor.uuid, actor.name);
  for (const { uuid, name } of tokens) actors.set(uuid, `${name} (token)`);
  for (const { uuid, username } of users) actors.set(uuid, username);
  const operations = new Map(entries.map(({ operation, summary }) => [operation, summary]));
  return { actors: named(actors), operations: named(operations) };
}

const named = (map: Map<string, string>): Named[] =>
  [...map].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
