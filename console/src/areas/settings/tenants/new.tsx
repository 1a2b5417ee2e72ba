import { useLocation } from 'wouter';
import { Page, Section } from '../../../parts/index.ts';
import { TenantForm } from './form.tsx';
import { tenantsTrail } from './words.ts';

/** Makes an account. */
export function NewTenant() {
  const [, navigate] = useLocation();
  return (
    <Page
      title="New account"
      trail={tenantsTrail}
      description="It has neither users nor tokens yet: make its first token when it is there."
    >
      <Section>
        <TenantForm
          onDone={({ uuid }) => navigate(`/settings/tenants/${uuid}`)}
          onCancel={() => navigate('/settings/tenants')}
        />
      </Section>
    </Page>
  );
}
