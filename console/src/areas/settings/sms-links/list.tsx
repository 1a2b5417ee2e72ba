import { IconBuildingBroadcastTower } from '@tabler/icons-react';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, NewLink } from '../../../parts/index.ts';
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
    title: 'Host',
    width: 'minmax(10rem, 2fr)',
    render: (row) => (row.host ? `${row.system_id} at ${row.host}:${row.port}` : 'Internal'),
  },
  { title: 'State', important: true, width: '9rem', render: (row) => <StateCell link={row} /> },
  { title: 'Per second', width: '7rem', align: 'right', render: (row) => row.messages_per_second },
  { title: 'Weight', width: '6rem', align: 'right', render: (row) => row.weight },
];

const create = <NewLink href="/settings/sms-links/new">New link</NewLink>;

/** The links that SMS leave and arrive by. */
export function ListOfSmsLinks() {
  const list = useList('/v2/sms-links/');
  return (
    <SettingsPage
      tab="/settings/sms-links"
      description="SMPP connections to carriers. Traffic is split by weight."
      actions={create}
    >
      <Listing
        one="link"
        label="SMS links"
        list={list}
        columns={columns}
        href={(row) => `/settings/sms-links/${row.uuid}`}
        icon={IconBuildingBroadcastTower}
        hint="Without a link, SMS stay in the sandbox."
        action={create}
      />
    </SettingsPage>
  );
}
