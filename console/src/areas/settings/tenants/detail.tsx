import { Alert, Button, Code, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Schema, useAct, useOne } from '../../../api/index.ts';
import { confirm, Facts, Id, Loaded, Page, Section, Status, Time } from '../../../parts/index.ts';
import { showSecret } from '../../../parts/webhooks/secret.tsx';
import { DeleteDialog } from './delete.tsx';
import { TenantForm } from './form.tsx';
import { sayBytes, sayStanding, tenantsTrail } from './words.ts';

type Tenant = Schema<'Tenant'>;
const invalidates = ['/v2/accounts/'];

/** One account of the server: what it may use, whether it may act, and its end. */
export function TenantDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/accounts/{uuid}/', { uuid });
  return (
    <Loaded query={query} what="account">
      {(tenant) => (
        <Page title={tenant.name} trail={tenantsTrail} actions={<Actions tenant={tenant} />}>
          <Stack>
            <Standing tenant={tenant} />
            <Facts
              rows={[
                ['State', <Status key="state" word={tenant.status} label={sayStanding(tenant)} />],
                ['Files', sayBytes(tenant.usage.storage_bytes)],
                ['Created', <Time key="created" at={tenant.created} />],
                ['Id', <Id key="id" id={tenant.uuid} />],
              ]}
            />
            {tenant.status !== 'DELETING' && (
              <Section title="Settings and limits">
                <TenantForm key={tenant.uuid} tenant={tenant} onDone={() => {}} />
              </Section>
            )}
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function Standing({ tenant: { status, suspended } }: { tenant: Tenant }) {
  if (status === 'ACTIVE') return null;
  if (status === 'DELETING') {
    return <Alert color="red">It is being deleted, with all that it has. The job is among your own jobs.</Alert>;
  }
  return (
    <Alert color="orange" title="Suspended">
      Since <Time at={suspended!} />. Its tokens and users are refused, nothing leaves, and what people write is kept.
    </Alert>
  );
}

function Actions({ tenant }: { tenant: Tenant }) {
  const { uuid, name, status, operator } = tenant;
  const [isDeleting, setDeleting] = useState(false);
  const suspend = useAct('post', '/v2/accounts/{uuid}/suspend/', { invalidates, done: 'Suspended.' });
  const resume = useAct('post', '/v2/accounts/{uuid}/resume/', { invalidates, done: 'It may act again.' });
  const makeToken = useAct('post', '/v2/accounts/{uuid}/tokens/', {
    onDone: ({ token }) =>
      showSecret({
        title: `A token of ${name}`,
        secret: token,
        text: (
          <>
            It may read and write everything of the account. A program sends it with each request:{' '}
            <Code>Authorization: Token …</Code>; a person signs in to this console with it.
          </>
        ),
      }),
  });
  if (operator || status === 'DELETING') return null;
  const ask = async () => {
    const text = 'Its tokens and users are refused at once, and nothing leaves until you let it act again.';
    if (await confirm({ title: `Suspend “${name}”?`, text, button: 'Suspend' })) suspend.mutate({ params: { uuid } });
  };
  return (
    <Group gap="xs">
      <Button
        variant="default"
        loading={makeToken.isPending}
        onClick={() => makeToken.mutate({ params: { uuid }, body: {} })}
      >
        Make a token
      </Button>
      {status === 'ACTIVE' ? (
        <Button variant="default" loading={suspend.isPending} onClick={() => void ask()}>
          Suspend
        </Button>
      ) : (
        <Button loading={resume.isPending} onClick={() => resume.mutate({ params: { uuid } })}>
          Resume
        </Button>
      )}
      <Button color="red.8" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {isDeleting && <DeleteDialog tenant={tenant} onClose={() => setDeleting(false)} />}
    </Group>
  );
}
