import { useLocation } from 'wouter';
import { Page } from '../../../parts/index.ts';
import { SmsLinkForm } from './form.tsx';

export const smsLinksTrail = [
  { title: 'Settings', href: '/settings' },
  { title: 'SMS links', href: '/settings/sms-links' },
];

/** Connects an SMS centre. */
export function NewSmsLink() {
  const [, navigate] = useLocation();
  return (
    <Page
      title="New SMS link"
      trail={smsLinksTrail}
      description="Connects immediately. The first live link replaces the sandbox."
    >
      <SmsLinkForm
        onDone={({ uuid }) => navigate(`/settings/sms-links/${uuid}`)}
        onCancel={() => navigate('/settings/sms-links')}
      />
    </Page>
  );
}
