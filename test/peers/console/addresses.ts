import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Stage } from './stage.ts';

const folder = path.join(import.meta.dirname, '..', '..', '..', 'console', 'src', 'areas');

/** Where the names in an address come from: the list of the API, and the field of its first row that has it. */
const objects: Record<string, [list: string, ...fields: string[]]> = {
  '/agents/:uuid': ['/v2/agent-configs/', 'uuid'],
  '/audio/:uuid': ['/v2/audio-files/', 'uuid'],
  '/calls/:uuid': ['/v2/voice/calls/?result=ANSWERED', 'uuid'],
  '/campaigns/:uuid': ['/v2/campaigns/', 'uuid'],
  '/campaigns/:uuid/edit': ['/v2/campaigns/', 'uuid'],
  '/campaigns/:uuid/launches/:log': ['/v2/campaign-logs/', 'campaign', 'uuid'],
  '/contacts/:uuid': ['/v2/contacts/', 'uuid'],
  '/contacts/:uuid/edit': ['/v2/contacts/', 'uuid'],
  '/conversations/:sender/:person': ['/v2/chatapp/conversations/', 'chatapp_number', 'number'],
  '/deliveries/:uuid': ['/v2/webhook-deliveries/?status=SUCCEEDED', 'uuid'],
  '/flows/:uuid': ['/v2/chatapp/flows/?status=PUBLISHED', 'uuid'],
  '/flows/:uuid/edit': ['/v2/chatapp/flows/?status=DRAFT', 'uuid'],
  '/intros/:uuid': ['/v2/chatapp/chat-intros/', 'uuid'],
  '/intros/:uuid/edit': ['/v2/chatapp/chat-intros/', 'uuid'],
  '/intros/:uuid/sessions/:session': ['/v2/chatapp/chat-intro-logs/', 'chat_intro', 'session'],
  '/jobs/:id': ['/v3/jobs/', 'id'],
  '/leads/:number': ['/v2/chatapp/leads/', 'phone_number'],
  '/lists/:uuid': ['/v2/lists/', 'uuid'],
  '/media/:uuid': ['/v2/chatapp/template-media/', 'uuid'],
  '/messages/:uuid': ['/v2/chatapp/messages/?direction=OUTBOUND', 'uuid'],
  '/numbers/:number': ['/v2/number/', 'number'],
  '/opt-outs/:uuid': ['/v2/opt-outs/', 'uuid'],
  '/people/:number': ['/v2/contacts/', 'phone_number'],
  '/phone/flow/:id': ['/v2/chatapp/flows/?status=PUBLISHED', 'flow_id'],
  '/phone/:number': ['/v2/chatapp/accounts/', 'chatapp_number'],
  '/routing/:uuid': ['/v2/routing-configs/', 'uuid'],
  '/settings/tenants/:uuid': ['/v2/accounts/', 'uuid'],
  '/settings/roles/:uuid': ['/v2/roles/', 'name'],
  '/settings/users/:uuid': ['/v2/users/', 'uuid'],
  '/settings/chat-accounts/:uuid': ['/v2/chatapp/accounts/', 'uuid'],
  '/settings/sms-links/:uuid': ['/v2/sms-links/', 'uuid'],
  '/settings/single-sign-on/:uuid': ['/v2/identity-providers/', 'uuid'],
  '/settings/sip-trunks/:uuid': ['/v2/sip-trunks/', 'uuid'],
  '/sms/:uuid': ['/v2/sms-records/', 'uuid'],
  '/templates/:uuid': ['/v2/chatapp/message-templates/', 'uuid'],
  '/templates/:uuid/edit': ['/v2/chatapp/message-templates/', 'uuid'],
  '/webhooks/:uuid': ['/v2/chatapp/webhooks/', 'uuid'],
  '/webhooks/chat/:id': ['/v2/chatapp/webhooks/', 'uuid'],
  '/webhooks/chat/:id/edit': ['/v2/chatapp/webhooks/', 'uuid'],
  '/webhooks/number/:id': ['/v2/number/webhooks/', 'name'],
  '/webhooks/number/:id/edit': ['/v2/number/webhooks/', 'name'],
};
const chosen: Record<string, string> = { '/webhooks/new/:kind': '/webhooks/new/chat' };

/** What the demo leaves out, because nothing is connected there. */
export async function addConnections({ post }: Pick<Stage, 'post'>): Promise<void> {
  await post('/v2/identity-providers/', {
    ...{ name: 'Example Corp', issuer: 'https://login.example.com', client_id: 'parley', client_secret: 'secret' },
    group_roles: [{ group: 'desk', role: 'agent' }],
  });
  await post('/v2/sip-trunks/', { name: 'Carrier', host: '127.0.0.2', allowed_addresses: ['127.0.0.0/8'] });
  const login = { system_id: 'a', password: 'b' };
  await post('/v2/sms-links/', { name: 'Messages', host: '127.0.0.1', port: 2775, enabled: false, ...login });
}

/** Every address that the areas of the console name, filled with what the server has. */
export async function addressesOf({ get }: Pick<Stage, 'get'>): Promise<string[]> {
  const patterns = readdirSync(folder).flatMap((area) => {
    const source = readFileSync(path.join(folder, area, 'index.tsx'), 'utf8');
    return [...source.matchAll(/path="([^"]+)"/g)].map(([, pattern]) => pattern!);
  });
  const fill = async (pattern: string): Promise<string> => {
    if (!pattern.includes(':')) return pattern;
    if (chosen[pattern]) return chosen[pattern];
    const [list, ...fields] = objects[pattern] ?? [];
    assert.ok(list, `Say in addresses.ts what ${pattern} is filled with`);
    const { results } = await get(list);
    const row = results.find((one: Record<string, unknown>) => fields.every((field) => one[field]));
    assert.ok(row, `${list} has no row with ${fields.join(' and ')} for ${pattern}`);
    return pattern.replaceAll(/:\w+/g, () => encodeURIComponent(row[fields.shift()!]).replaceAll('%2B', '+'));
  };
  return ['/', ...(await Promise.all([...new Set(patterns)].map(fill)))];
}
