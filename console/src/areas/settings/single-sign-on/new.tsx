import { useLocation } from 'wouter';
import { serverUrl } from '../../../api/client.ts';
import { Id, Page, Section } from '../../../parts/index.ts';
import { ProviderForm } from './form.tsx';

export const providersTrail = [
  { title: 'Settings', href: '/settings' },
  { title: 'Single sign-on', href: '/settings/single-sign-on' },
];

/** Connects an identity provider. */
export function NewProvider() {
  const [, navigate] = useLocation();
  return (
    <Page
      title="New identity provider"
      trail={providersTrail}
      description="Register this server as a web application with your provider first. It gives you a client id and a secret."
    >
      <Section title="Redirect URI" description="Enter it at the provider.">
        <Id id={`${serverUrl}/v2/auth/sso/callback/`} what="the redirect URI" />
      </Section>
      <ProviderForm
        onDone={({ uuid }) => navigate(`/settings/single-sign-on/${uuid}`)}
        onCancel={() => navigate('/settings/single-sign-on')}
      />
    </Page>
  );
}
