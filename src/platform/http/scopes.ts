import type { Scope } from './route.ts';

/**
 * The groups of operations that scopes speak of. A narrow group is a part of a wide one: `chatapp:read` covers `inbox:read`, and a
 * role that is to answer people and do nothing else has `inbox:read` alone.
 */
export const scopeGroups: Readonly<Record<string, { within?: string; covers: string }>> = {
  chatapp: { covers: 'Chat messages, intros, templates, flows, media and leads' },
  inbox: { within: 'chatapp', covers: 'Conversations and messages, and the senders and templates to answer with' },
  leads: { within: 'chatapp', covers: 'Leads' },
  number: { covers: 'Numbers, their settings and webhooks' },
  voice: { covers: 'Calls, recordings and SIP trunks' },
  calls: { within: 'voice', covers: 'Calls and call records, without what was said' },
  recordings: { within: 'voice', covers: 'The audio of recordings and voicemails' },
  sms: { covers: 'SMS, senders and links' },
  routing: { covers: 'Where calls and messages go' },
  agent: { covers: 'Agents whom calls and chats go to' },
  campaigns: { covers: 'Campaigns and their launches' },
  contacts: { covers: 'Contacts and lists' },
  people: { covers: 'Everything known of one person, and erasing it' },
  optouts: { covers: 'Who wants no messages' },
  insight: { covers: 'Reports' },
  jobs: { covers: 'Long work, imports and exports' },
  webhook: { covers: 'Deliveries of webhooks' },
  account: { covers: 'Settings, webhooks, events, users, tokens, billing and the audit log' },
  users: { within: 'account', covers: 'Users, roles and invitations' },
  tokens: { within: 'account', covers: 'Tokens and sessions of the account' },
  billing: { within: 'account', covers: 'The ledger' },
  scim: { within: 'account', covers: 'Users and groups by SCIM, for identity providers' },
  audit: { within: 'account', covers: 'The audit log' },
  sandbox: { covers: 'Phones, clock and faults of the sandbox' },
};

/**
 * Whether scopes cover what an operation asks for: `inbox:read` is covered by `inbox:read`, by `chatapp:read`, of which it is a part,
 * and by `read`.
 */
export function allows(scopes: readonly string[], needed: Scope): boolean {
  if (needed === 'public' || needed === 'any' || scopes.includes(needed)) return true;
  const [group = '', action] = needed.split(':');
  if (action === undefined) return false;
  const wide = scopeGroups[group]?.within;
  return scopes.includes(action) || (wide !== undefined && scopes.includes(`${wide}:${action}`));
}
