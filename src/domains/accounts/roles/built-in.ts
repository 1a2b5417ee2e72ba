import { scopeGroups } from '../../../platform/http/route.ts';

export interface BuiltInRole {
  name: string;
  description: string;
  scopes: string[];
}

const both = (...groups: string[]): string[] => groups.flatMap((group) => [`${group}:read`, `${group}:write`]);
const reading = (...groups: string[]): string[] => groups.map((group) => `${group}:read`);
const wide = Object.keys(scopeGroups).filter((group) => scopeGroups[group]?.within === undefined);

/**
 * The roles that every account has. What they may do changes with a migration alone: a user's scopes are stored with the user.
 * An admin may do all that an owner may but for touching owners: `write` itself is an owner's, and nobody gives what they do not have.
 */
export const builtInRoles: readonly BuiltInRole[] = [
  { name: 'owner', description: 'Everything, including other owners.', scopes: ['read', 'write'] },
  {
    name: 'admin',
    description: 'Everything, except changing owners.',
    scopes: ['read', ...wide.map((group) => `${group}:write`)],
  },
  {
    name: 'developer',
    description: 'Channels, numbers, routing, webhooks, tokens and the sandbox. Neither users nor billing.',
    scopes: [
      ...both('chatapp', 'number', 'sms', 'routing', 'agent', 'webhook', 'jobs', 'sandbox', 'tokens', 'calls'),
      ...reading('account', 'voice', 'contacts', 'optouts', 'campaigns', 'insight'),
      'voice:write',
    ],
  },
  {
    name: 'supervisor',
    description: 'The inbox, leads, calls with recordings, agents, contacts and reports.',
    scopes: [
      ...both('inbox', 'leads', 'agent', 'contacts', 'optouts', 'calls', 'jobs'),
      ...reading('chatapp', 'recordings', 'sms', 'number', 'routing', 'campaigns', 'people', 'insight'),
    ],
  },
  {
    name: 'agent',
    description: 'The inbox, and contacts to read.',
    scopes: [...both('inbox'), ...reading('contacts', 'optouts')],
  },
  {
    name: 'analyst',
    description: 'Reports and lists, without the audio of recordings.',
    scopes: [
      ...reading('insight', 'chatapp', 'calls', 'sms', 'number', 'campaigns', 'contacts', 'optouts', 'agent'),
      ...['routing:read', ...both('jobs')],
    ],
  },
  { name: 'billing', description: 'The ledger and the numbers that are billed.', scopes: reading('billing', 'number') },
];

export const findBuiltIn = (name: string): BuiltInRole | undefined =>
  builtInRoles.find((role) => role.name === name.toLowerCase());
