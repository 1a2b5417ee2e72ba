import { Badge } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { type Row, useList } from '../../../api/index.ts';
import { type Column, Listing, NewLink, Time, TwoLines } from '../../../parts/index.ts';
import { SettingsPage } from '../settings-page.tsx';

type Item = Row<'/v2/identity-providers/'>;

function State({ provider }: { provider: Item }) {
  if (!provider.enabled)
    return (
      <Badge variant="light" color="gray">
        Disabled
      </Badge>
    );
  return provider.last_error ? (
    <Badge variant="light" color="orange">
      Last one failed
    </Badge>
  ) : (
    <Badge variant="light" color="green">
      Enabled
    </Badge>
  );
}

const columns: Column<Item>[] = [
  {
    title: 'Name',
    important: true,
    width: 'minmax(12rem, 2fr)',
    render: (row) => <TwoLines first={row.name} second={row.issuer} />,
  },
  { title: 'Domains', width: 'minmax(9rem, 1fr)', render: (row) => row.domains.join(', ') },
  { title: 'State', important: true, width: '10rem', render: (row) => <State provider={row} /> },
  { title: 'Last sign-in', width: '11rem', render: (row) => <Time at={row.last_sign_in} /> },
];

const create = <NewLink href="/settings/single-sign-on/new">New identity provider</NewLink>;

/** The identity providers by which users sign in. */
export function ListOfProviders() {
  const list = useList('/v2/identity-providers/');
  return (
    <SettingsPage
      tab="/settings/single-sign-on"
      description="Let users sign in by your company’s identity provider, over OpenID Connect."
      actions={create}
    >
      <Listing
        one="identity provider"
        label="Identity providers"
        list={list}
        columns={columns}
        href={(row) => `/settings/single-sign-on/${row.uuid}`}
        icon={IconBuilding}
        hint="Connect Keycloak, Entra ID, Google, Okta or any other OpenID Connect provider."
        action={create}
      />
    </SettingsPage>
  );
}
