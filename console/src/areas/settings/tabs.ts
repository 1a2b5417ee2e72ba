import { useMaySee } from '../../parts/may.tsx';

/** The parts of the settings, each with its address. */
export const tabs = [
  { href: '/settings/account', title: 'Account' },
  { href: '/settings/users', title: 'Users' },
  { href: '/settings/roles', title: 'Roles' },
  { href: '/settings/invitations', title: 'Invitations' },
  { href: '/settings/security', title: 'Security' },
  { href: '/settings/single-sign-on', title: 'Single sign-on' },
  { href: '/settings/tokens', title: 'Tokens' },
  { href: '/settings/chat-accounts', title: 'Chat-app accounts' },
  { href: '/settings/sms-links', title: 'SMS links' },
  { href: '/settings/sip-trunks', title: 'SIP trunks' },
  { href: '/settings/sms-senders', title: 'SMS senders' },
  { href: '/settings/sender-names', title: 'Sender names' },
  { href: '/settings/safeguards', title: 'Safeguards' },
  { href: '/settings/tenants', title: 'Accounts' },
  { href: '/settings/callback-secret', title: 'Callback secret' },
  { href: '/settings/audit-log', title: 'Audit log' },
  { href: '/settings/sandbox', title: 'Sandbox' },
] as const;

/** Those that whoever is signed in may see. */
export function useTabs() {
  const maySee = useMaySee();
  return tabs.filter(({ href }) => maySee(href));
}

export type TabHref = (typeof tabs)[number]['href'];
export const titleOfTab = (href: TabHref): string => tabs.find((tab) => tab.href === href)!.title;
