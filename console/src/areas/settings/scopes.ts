/** The groups of operations that scopes speak of. */
export const scopeGroups = [
  ['chatapp', 'Chat app', 'Messages, intros, templates, flows, media, leads'],
  ['inbox', 'Inbox', 'Part of Chat app: conversations and messages'],
  ['leads', 'Leads', 'Part of Chat app: leads'],
  ['number', 'Numbers', 'Numbers, their settings and webhooks'],
  ['voice', 'Voice', 'Calls, recordings, SIP trunks'],
  ['calls', 'Calls', 'Part of Voice: calls and call records'],
  ['recordings', 'Recordings', 'Part of Voice: the audio of recordings and voicemails'],
  ['sms', 'SMS', 'SMS, senders, links'],
  ['routing', 'Routing', 'Where calls and messages go'],
  ['agent', 'Agents', 'People whom calls and chats go to'],
  ['campaigns', 'Campaigns', 'Sending to lists'],
  ['contacts', 'Contacts', 'Contacts and lists'],
  ['people', 'People', 'Everything known of one person, and erasing it'],
  ['optouts', 'Opt-outs', 'Who wants no messages'],
  ['insight', 'Insights', 'Missed calls, slow replies, keywords'],
  ['jobs', 'Jobs', 'Long work, imports and exports'],
  ['webhook', 'Deliveries', 'Deliveries of webhooks, and redelivering'],
  ['account', 'Account', 'Settings, users, tokens, audit log'],
  ['users', 'Users', 'Part of Account: users, roles, invitations'],
  ['tokens', 'Tokens', 'Part of Account: tokens and sessions'],
  ['billing', 'Billing', 'Part of Account: the ledger'],
  ['scim', 'SCIM', 'Part of Account: users and groups, for identity providers'],
  ['audit', 'Audit log', 'Part of Account: the audit log'],
  ['sandbox', 'Sandbox', 'Phones, clock and faults of the sandbox'],
] as const;

/** Scopes in words, for lists. */
export function sayScopes(scopes: readonly string[]): string {
  const plain = scopes.filter((scope) => scope !== 'operator');
  const has = (scope: string) => plain.includes(scope);
  const named = plain.length === 2 && has('read') && has('write') ? 'Everything' : undefined;
  const text = named ?? (plain.length === 1 && has('read') ? 'Reading' : plain.join(', '));
  return scopes.includes('operator') ? `${text}${text ? ', ' : ''}operator` : text;
}
