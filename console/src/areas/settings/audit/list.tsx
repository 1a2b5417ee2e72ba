import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
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
  const [shown, setShown] = useState<Entry | null>(null);
  const filters = useFilters([
    { kind: 'late-select', name: 'actor', label: 'Who', useOptions: useActors },
    { kind: 'late-select', name: 'operation', label: 'What', useOptions: useOperations },
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

const useLatest = (enabled: boolean): Entry[] => useList('/v2/audit-log/', undefined, { pageSize: 200, enabled }).rows;

/** Who can be chosen: those who exist, and those whom the last entries name. */
function useActors(enabled: boolean): Named[] {
  const users = useList('/v2/users/', undefined, { pageSize: 200, enabled });
  const tokens = useList('/v2/auth/tokens/', { kind: 'API' }, { pageSize: 200, enabled });
  const latest = useLatest(enabled);
  const names = new Map<string, string>();
  for (const { actor } of latest) names.set(actor.uuid, actor.name);
  for (const { uuid, name } of tokens.rows) names.set(uuid, `${name} (token)`);
  for (const { uuid, username } of users.rows) names.set(uuid, username);
  return named(names);
}

/** What can be chosen: the operations of the last entries. */
const useOperations = (enabled: boolean): Named[] =>
  named(new Map(useLatest(enabled).map(({ operation, summary }) => [operation, summary])));

const named = (map: Map<string, string>): Named[] =>
  [...map].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
