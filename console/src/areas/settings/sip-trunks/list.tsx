import { IconPhoneCall } from '@tabler/icons-react';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, NewLink } from '../../../parts/index.ts';
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
    render: (row) =>
      `${row.transport === 'tls' ? '🔒 ' : ''}${row.host}:${row.port} (${row.transport.toUpperCase()}${row.srtp === 'off' ? '' : ', SRTP'})`,
  },
  { title: 'State', important: true, width: '9rem', render: (row) => <StateCell trunk={row} /> },
  { title: 'Registers', width: '7rem', render: (row) => (row.register ? 'Yes' : 'No') },
  { title: 'Codecs', width: '9rem', render: (row) => row.codecs.join(', ') },
  { title: 'Weight', width: '6rem', align: 'right', render: (row) => row.weight },
];

const create = <NewLink href="/settings/sip-trunks/new">New trunk</NewLink>;

/** The trunks that calls come and go by. */
export function ListOfSipTrunks() {
  const list = useList('/v2/sip-trunks/');
  return (
    <SettingsPage
      tab="/settings/sip-trunks"
      description="Carriers and PBXs for your calls. Calls are split by weight."
      actions={create}
    >
      <Listing
        one="trunk"
        label="SIP trunks"
        list={list}
        columns={columns}
        href={(row) => `/settings/sip-trunks/${row.uuid}`}
        icon={IconPhoneCall}
        hint="Without a trunk, calls stay in the sandbox. Connect a carrier or your own PBX over SIP."
        action={create}
      />
    </SettingsPage>
  );
}
