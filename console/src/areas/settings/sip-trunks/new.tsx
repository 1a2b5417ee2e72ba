import { useLocation } from 'wouter';
import { Page } from '../../../parts/index.ts';
import { SipTrunkForm } from './form.tsx';

export const sipTrunksTrail = [
  { title: 'Settings', href: '/settings' },
  { title: 'SIP trunks', href: '/settings/sip-trunks' },
];

/** Connects a carrier or an exchange over SIP. */
export function NewSipTrunk() {
  const [, navigate] = useLocation();
  return (
    <Page
      title="New SIP trunk"
      trail={sipTrunksTrail}
      description="Calls of an account that has a trunk leave by it, and not by the sandbox."
    >
      <SipTrunkForm
        onDone={({ uuid }) => navigate(`/settings/sip-trunks/${uuid}`)}
        onCancel={() => navigate('/settings/sip-trunks')}
      />
    </Page>
  );
}
