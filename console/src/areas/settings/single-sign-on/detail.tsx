import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import { useLocation } from 'wouter';
import { type Schema, useAct, useOne } from '../../../api/index.ts';
import { Facts, Id, Loaded, Page, RemoveButton, Section, Time } from '../../../parts/index.ts';
import { ProviderForm } from './form.tsx';
import { providersTrail } from './new.tsx';

type Provider = Schema<'IdentityProvider'>;

/** Asks the provider whether it knows us. */
function Connection({ provider }: { provider: Provider }) {
  const test = useAct('post', '/v2/identity-providers/{uuid}/test/', {});
  const { data } = test;
  return (
    <Section title="Connection">
      <Stack align="flex-start">
        {provider.last_error && (
          <Alert color="orange" title="The last sign-in failed">
            {provider.last_error} (<Time at={provider.last_error_at} />)
          </Alert>
        )}
        {data && (
          <Alert
            color={data.ok ? 'green' : 'red'}
            role="status"
            title={data.ok ? 'The connection works' : 'It does not work'}
          >
            {data.ok ? (
              'The provider answers, and knows the client.'
            ) : (
              <List size="sm">
                {data.problems.map((problem) => (
                  <List.Item key={problem}>{problem}</List.Item>
                ))}
              </List>
            )}
          </Alert>
        )}
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate({ params: { uuid: provider.uuid } })}
        >
          Test connection
        </Button>
      </Stack>
    </Section>
  );
}

/** What has to be entered at the provider, and into the name server. */
function Addresses({ provider }: { provider: Provider }) {
  const verify = useAct('post', '/v2/identity-providers/{uuid}/verify-domains/', {
    invalidates: ['/v2/identity-providers/'],
    done: 'The domains are verified.',
  });
  return (
    <Section title="At the provider">
      <Stack>
        <Facts
          rows={[
            ['Redirect URI', <Id key="redirect" id={provider.redirect_uri} what="the redirect URI" />],
            [
              'Redirect URI after signing out',
              <Id key="logout" id={provider.post_logout_redirect_uri} what="the redirect URI after signing out" />,
            ],
            ['Sign-in link', <Id key="link" id={provider.sign_in_url} what="the sign-in link" />],
          ]}
        />
        {provider.unverified_domains.length > 0 && (
          <Alert color="orange" title="Domains to verify">
            <Stack align="flex-start">
              <Text size="sm">
                Set the TXT record <Code>{provider.domain_record}</Code> at{' '}
                {provider.unverified_domains.map((domain) => `_parley.${domain}`).join(', ')}. Until then the sign-in
                page does not offer this provider to people of these domains.
              </Text>
              <Group>
                <Button
                  variant="default"
                  loading={verify.isPending}
                  onClick={() => verify.mutate({ params: { uuid: provider.uuid } })}
                >
                  Verify
                </Button>
              </Group>
            </Stack>
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

/** One identity provider: what to enter there, whether it works, and its settings. */
export function ProviderDetail({ uuid }: { uuid: string }) {
  const query = useOne('/v2/identity-providers/{uuid}/', { uuid });
  const [, navigate] = useLocation();
  // What was saved begins a new form, without the secret that was typed.
  const [saved, setSaved] = useState<Provider>();
  const list = '/settings/single-sign-on';
  return (
    <Loaded query={query} what="identity provider">
      {(provider) => (
        <Page
          title={provider.name}
          trail={providersTrail}
          actions={
            <RemoveButton
              path="/v2/identity-providers/{uuid}/"
              uuid={uuid}
              what={`the identity provider “${provider.name}”`}
              text="Its users stay, but cannot sign in by it any more. Their sessions end."
              back={list}
            />
          }
        >
          <Stack>
            <Connection provider={provider} />
            <Addresses provider={provider} />
            <Fragment key={saved?.modified}>
              <ProviderForm provider={saved ?? provider} onDone={setSaved} onCancel={() => navigate(list)} />
            </Fragment>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}
