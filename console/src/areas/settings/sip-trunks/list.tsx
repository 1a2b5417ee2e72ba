import { Button } from '@mantine/core';
import { IconPhoneCall, IconPlus } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, DataTable, EmptyState } from '../../../parts/index.ts';
import { LinkState } from '../link-state.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { useTrunkStatus } from './use-status.ts';

type Item = Row<'/v2/sip-trunks/'>;

function StateCell({ trunk }: { trunk: Item }) {
  const live = useTrunkStatus(trunk.name);
  return <LinkState state={trunk.enabled ? live?.state : 'DISABLED'} />;
}

const columns: Column<Item>[] = [
  { title: 'Name', important: true, width: 'minmax(8rem, 1fr)', render: (row) => row.name },
  {
    title: 'Host',
    width: 'minmax(10rem, 2fr)',
    render: (row) => `${row.host}:${row.port} (${row.transport.toUpperCase()})`,
  },
  { title: 'State', important: true, width: '9rem', render: (row) => <StateCell trunk={row} /> },
  { title: 'Registers', width: '7rem', render: (row) => (row.register ? 'Yes' : 'No') },
  { title: 'Codecs', width: '9rem', render: (row) => row.codecs.join(', ') },
  { title: 'Weight', width: '6rem', align: 'right', render: (row) => row.weight },
];

const create = (
  <Button component={Link} href="/settings/sip-trunks/new" leftSection={<IconPlus size={16} />}>
    New trunk
  </Button>
);

/** The trunks that calls come and go by. */
export function ListOfSipTrunks() {
  const [, navigate] = useLocation();
  const list = useList('/v2/sip-trunks/');
  return (
    <SettingsPage
      tab="/settings/sip-trunks"
      description="Carriers and exchanges that bring and take your calls. Several share the calls by their weight."
      actions={create}
    >
      <DataTable
        label="SIP trunks"
        list={list}
        columns={columns}
        onOpen={(row) => navigate(`/settings/sip-trunks/${row.uuid}`)}
        empty={
          <EmptyState
            icon={IconPhoneCall}
            title="No trunks yet."
            hint="Without one, calls stay in the sandbox. Connect a carrier or your own exchange over SIP."
            action={create}
          />
        }
      />
    </SettingsPage>
  );
}
