/**
 * What the pages of the console need, by the beginning of their address: the groups of scopes of which one is needed, `group:read`
 * to see a page and `group:write` to change something on it. Pages that are not named need nothing. The longest beginning counts.
 */
const groupsAt: Record<string, readonly string[]> = {
  '/intros': ['chatapp'],
  '/conversations': ['inbox'],
  '/messages': ['inbox'],
  '/templates': ['chatapp'],
  '/flows': ['chatapp'],
  '/media': ['chatapp'],
  '/leads': ['leads'],
  '/numbers': ['number'],
  '/calls': ['calls'],
  '/sms': ['sms'],
  '/routing': ['routing'],
  '/agents': ['agent'],
  '/audio': ['voice'],
  '/insights': ['insight'],
  '/reports': ['insight'],
  '/campaigns': ['campaigns'],
  '/contacts': ['contacts'],
  '/lists': ['contacts'],
  '/people': ['people'],
  '/opt-outs': ['optouts'],
  '/jobs': ['jobs'],
  '/webhooks': ['chatapp', 'number'],
  '/webhooks/chat': ['chatapp'],
  '/webhooks/new/chat': ['chatapp'],
  '/webhooks/new/number': ['number'],
  '/webhooks/number': ['number'],
  '/webhooks/numbers': ['number'],
  '/deliveries': ['webhook'],
  '/settings': ['account', 'users', 'tokens', 'audit', 'chatapp', 'sms', 'voice', 'sandbox', 'operator'],
  '/settings/account': ['account'],
  '/settings/users': ['users'],
  '/settings/roles': ['users'],
  '/settings/invitations': ['users'],
  '/settings/security': ['account'],
  '/settings/single-sign-on': ['account'],
  '/settings/tokens': ['tokens'],
  '/settings/chat-accounts': ['chatapp'],
  '/settings/sms-links': ['sms'],
  '/settings/sip-trunks': ['voice'],
  '/settings/sms-senders': ['sms'],
  '/settings/sender-names': ['operator'],
  '/settings/tenants': ['operator'],
  '/settings/callback-secret': ['account'],
  '/settings/audit-log': ['audit'],
  '/settings/safeguards': ['account'],
  '/settings/sandbox': ['sandbox'],
  '/phone': ['sandbox'],
};

/** Pages that are there to change something, and of no use to whoever may only read. */
const changing = /^\/phone|\/(new|edit|upload|buy|callback-secret)(\/|$)/;

function groupsOf(address: string): readonly string[] {
  for (let path = address.replace(/[?#].*$/, ''); path; path = path.slice(0, path.lastIndexOf('/')))
    if (path in groupsAt) return groupsAt[path]!;
  return [];
}

const scopesOf = (address: string, action: 'read' | 'write'): string[] =>
  groupsOf(address).map((group) => (group === 'operator' ? group : `${group}:${action}`));

/** The scopes of which one is needed to see the page at this address. */
export const scopesToSee = (address: string): string[] => scopesOf(address, changing.test(address) ? 'write' : 'read');

/** The scopes of which one is needed to change something there. */
export const scopesToChange = (address: string): string[] => scopesOf(address, 'write');
