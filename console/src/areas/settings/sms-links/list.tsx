import { Button } from '@mantine/core';
import { IconBuildingBroadcastTower, IconPlus } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, DataTable, EmptyState } from '../../../parts/index.ts';
import { sayCarrier } from '../chat-accounts/words.ts';
import { LinkState } from '../link-state.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { useSmsStatus } from './use-status.ts';

type Item = Row<'/v2/sms-links/'>;

function StateCell({ link }: { link: Item }) {
  const live = useSmsStatus(link.uuid);
  return <LinkState state={link.enabled ? live?.state : 'DISABLED'} />;
}

const columns: Column<Item>[] = [
  { title: 'Name', important: true, width: 'minmax(8rem, 1fr)', render: (row) => row.name },
  { title: 'Carrier', width: '7rem', render: (row) => sayCarrier(row.carrier) },
  {
    title: 'Goes to',
    width: 'minmax(10rem, 2fr)',
    render: (row) => (row.host ? `${row.system_id} at ${row.host}:${row.port}` : 'Inside Parley'),
  },
  { title: 'State', important: true, width: '9rem', render: (row) => <StateCell link={row} /> },
  { title: 'Per second', width: '7rem', align: 'right', render: (row) => row.messages_per_second },
  { title: 'Weight', width: '6rem', align: 'right', render: (row) => row.weight },
];

const create = (
  <Button component={Link} href="/settings/sms-links/new" leftSection={<IconPlus size={16} />}>
    New link
  </Button>
);

/** The links that SMS leave and arrive by. */
export function ListOfSmsLinks() {
  const [, navigate] = useLocation();
  const list = useList('/v2/sms-links/');
  return (
    <SettingsPage
      tab="/settings/sms-links"
      description="Connections to the SMS centres of carriers, over SMPP. Several share the traffic by their weight."
      actions={create}
    >
      <DataTable
        label="SMS links"
        list={list}
        columns={columns}
        onOpen={(row) => navigate(`/settings/sms-links/${row.uuid}`)}
        empty={
          <EmptyState
            icon={IconBuildingBroadcastTower}
            title="No links yet."
            hint="Without one, SMS stay in the sandbox: it is linked by itself at the first SMS."
            action={create}
          />
        }
      />
    </SettingsPage>
  );
}
