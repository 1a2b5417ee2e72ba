/** The parts of the settings, each with its address. `scope`: for those who have it. */
export const tabs = [
  { href: '/settings/account', title: 'Account' },
  { href: '/settings/users', title: 'Users' },
  { href: '/settings/tokens', title: 'Tokens' },
  { href: '/settings/chat-accounts', title: 'Chat-app accounts' },
  { href: '/settings/sms-links', title: 'SMS links' },
  { href: '/settings/sip-trunks', title: 'SIP trunks' },
  { href: '/settings/sms-senders', title: 'SMS senders' },
  { href: '/settings/sender-names', title: 'Sender names', scope: 'operator' },
  { href: '/settings/tenants', title: 'Accounts', scope: 'operator' },
  { href: '/settings/callback-secret', title: 'Callback secret' },
  { href: '/settings/audit-log', title: 'Audit log' },
  { href: '/settings/sandbox', title: 'Sandbox' },
] as const;

/** Those that somebody with these scopes can use. */
export const tabsFor = (scopes: readonly string[]) =>
  tabs.filter((tab) => !('scope' in tab) || scopes.includes(tab.scope));

export type TabHref = (typeof tabs)[number]['href'];
export const titleOfTab = (href: TabHref): string => tabs.find((tab) => tab.href === href)!.title;
