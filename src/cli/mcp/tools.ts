import { allows, type Scope } from '../../platform/http/route.ts';

/**
 * What an assistant may do with Parley: a choice of the API's operations. What each takes is read from the OpenAPI document of the
 * server, so that the tools fit the version that runs.
 */
interface Choice {
  name: string;
  operationId: string;
  scope: Scope;
  description: string;
}

export const choices: Choice[] = [
  {
    name: 'send_message',
    operationId: 'createMessage',
    scope: 'inbox:write',
    description:
      'Send a chat-app (WhatsApp) message: text, template, media and so on. It is queued; look at it with get_message.',
  },
  {
    name: 'send_sms',
    operationId: 'sendSms',
    scope: 'sms:write',
    description: 'Send an SMS. It is queued; look at it with get_sms.',
  },
  {
    name: 'start_chat_intro',
    operationId: 'startChatIntro',
    scope: 'chatapp:write',
    description: 'Introduce a lead to the agent of a chat intro without waiting for them to write.',
  },
  {
    name: 'get_message',
    operationId: 'getMessage',
    scope: 'inbox:read',
    description: 'One chat-app message, with its status.',
  },
  {
    name: 'list_messages',
    operationId: 'listMessages',
    scope: 'inbox:read',
    description: 'Chat-app messages, newest first.',
  },
  {
    name: 'list_conversations',
    operationId: 'listConversations',
    scope: 'inbox:read',
    description: 'Conversations with people on the chat app, and whether their 24-hour window is open.',
  },
  {
    name: 'list_templates',
    operationId: 'listMessageTemplates',
    scope: 'inbox:read',
    description: 'Message templates and their approval.',
  },
  { name: 'get_sms', operationId: 'getSms', scope: 'sms:read', description: 'One SMS, with its status.' },
  {
    name: 'list_sms',
    operationId: 'listSmsRecords',
    scope: 'sms:read',
    description: 'SMS in both directions, newest first.',
  },
  {
    name: 'list_calls',
    operationId: 'listCalls',
    scope: 'calls:read',
    description: 'Calls, newest first: who called whom, when, how it ended.',
  },
  {
    name: 'get_call',
    operationId: 'getCall',
    scope: 'calls:read',
    description: 'One call with its legs, result and recording.',
  },
  {
    name: 'look_up_person',
    operationId: 'getPerson',
    scope: 'people:read',
    description: 'Everything that is known of one person by their phone number, over all channels.',
  },
  { name: 'list_contacts', operationId: 'listContacts', scope: 'contacts:read', description: 'Contacts.' },
  {
    name: 'list_opt_outs',
    operationId: 'listOptOuts',
    scope: 'optouts:read',
    description: 'Who opted out of what, and when.',
  },
  { name: 'list_leads', operationId: 'listLeads', scope: 'leads:read', description: 'Leads, newest first.' },
  {
    name: 'list_chat_intros',
    operationId: 'listChatIntros',
    scope: 'chatapp:read',
    description: 'Chat intros with their links.',
  },
  {
    name: 'list_chat_intro_sessions',
    operationId: 'listAllChatIntroSessions',
    scope: 'chatapp:read',
    description: 'What became of the people who used a chat intro.',
  },
  {
    name: 'list_numbers',
    operationId: 'listNumbers',
    scope: 'number:read',
    description: 'Phone numbers of the account and what they do.',
  },
  {
    name: 'explain_routing',
    operationId: 'explainRoutingConfig',
    scope: 'routing:read',
    description: 'Explain where a routing configuration would send a call or a chat at a given moment, and why.',
  },
  { name: 'list_campaigns', operationId: 'listCampaigns', scope: 'campaigns:read', description: 'Campaigns.' },
  {
    name: 'read_timeline',
    operationId: 'listEvents',
    scope: 'account:read',
    description:
      'What happened, step by step. With `subject` the story of one message, SMS, call, intro or campaign: it explains why something was or was not delivered.',
  },
  {
    name: 'list_webhook_deliveries',
    operationId: 'listWebhookDeliveries',
    scope: 'webhook:read',
    description: 'Webhook deliveries and how the receiver answered.',
  },
  {
    name: 'get_ledger',
    operationId: 'getLedger',
    scope: 'billing:read',
    description: 'How many messages were accepted, are pending and reached their end.',
  },
];

type Json = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Json;
}
interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Json }> };
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Json> };
}

export interface Tool {
  name: string;
  description: string;
  inputSchema: Json;
  annotations: Json;
  /** The request that its arguments make. */
  requestOf(given: Json): { method: string; path: string; body?: unknown };
}

/** The tools that a token with these scopes may use, of those that this server has. */
export function toolsFor(document: ApiDocument, scopes: readonly string[]): Tool[] {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [operation.operationId, { method, path, operation }] as const),
    ),
  );
  return choices.flatMap((choice) => {
    const found = operations.get(choice.operationId);
    return found && allows(scopes, choice.scope) ? [toolOf(document, choice, found)] : [];
  });
}

function toolOf(
  document: ApiDocument,
  { name, description, scope }: Choice,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): Tool {
  const parameters = (operation.parameters ?? []).filter(({ in: place }) => place === 'path' || place === 'query');
  const bodySchema = operation.requestBody?.content['application/json']?.schema;
  const properties = Object.fromEntries([
    ...parameters.map((one) => [one.name, { ...one.schema, ...(one.description && { description: one.description }) }]),
    ...(bodySchema ? [['body', bodySchema]] : []),
  ]);
  const required = [
    ...parameters.filter((one) => one.required || one.in === 'path').map((one) => one.name),
    ...(bodySchema && operation.requestBody?.required ? ['body'] : []),
  ];
  const isRead = scope.endsWith(':read');
  return {
    name,
    description,
    inputSchema: selfContained(document, { type: 'object', properties, required, additionalProperties: false }),
    annotations: { readOnlyHint: isRead, destructiveHint: false, idempotentHint: isRead, openWorldHint: true },
    requestOf(given) {
      const query = new URLSearchParams();
      let place = path;
      for (const { name, in: where } of parameters) {
        const value = given[name];
        if (value === undefined || value === null) continue;
        if (where === 'path') place = place.replace(`{${name}}`, encodeURIComponent(String(value)));
        else for (const one of [value].flat()) query.append(name, String(one));
      }
      const question = query.size > 0 ? `?${query}` : '';
      return {
        method: method.toUpperCase(),
        path: `${place}${question}`,
        ...(bodySchema && { body: given['body'] ?? {} }),
      };
    },
  };
}

const refStart = '#/components/schemas/';

/** The schema with all that it refers to inside it. */
function selfContained(document: ApiDocument, schema: Json): Json {
  const definitions: Json = {};
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith(refStart)) {
      const name = $ref.slice(refStart.length);
      if (!(name in definitions)) {
        // Known before it is looked into: it may contain itself.
        definitions[name] = {};
        definitions[name] = rewrite(document.components?.schemas?.[name] ?? {});
      }
      return { ...value, $ref: `#/$defs/${name}` };
    }
    // The mapping of a discriminator names schemas, too, and nobody here reads it.
    const { discriminator: _, ...rest } = value as Json;
    return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, rewrite(one)]));
  };
  const whole = rewrite(schema) as Json;
  return Object.keys(definitions).length > 0 ? { ...whole, $defs: definitions } : whole;
}
