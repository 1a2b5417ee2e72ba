import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import type { LinkRow } from './queries.ts';

/** Of an address, as SMPP numbers them (3.4, 5.2.5 and 5.2.6). */
const indicator = (what: string, maximum: number) =>
  nullable(Type.Integer({ minimum: 0, maximum, description: `${what}; null: by the kind of address.` }));

/** How to reach an SMS centre. */
const connection = {
  host: Type.String({
    pattern: '^[A-Za-z0-9]([A-Za-z0-9.:_-]{0,252}[A-Za-z0-9])?$|^::[0-9A-Fa-f.:]{1,40}$',
    'x-message': 'Enter a host name or an address.',
    description: 'Name or address of the SMS centre.',
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  tls: Type.Boolean({ description: 'Whether the connection is encrypted.' }),
  tls_verify: Type.Boolean({ description: 'Whether its certificate must be good; for trials only, let it be any.' }),
  tls_ca: nullable(
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'PEM; null: the certificate is signed by somebody public.',
    }),
  ),
  tls_cert: nullable(
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description:
        'PEM: the certificate with which you prove who you are, for a centre that asks for one; with `tls_key`.',
    }),
  ),
  system_id: Type.String({ minLength: 1, maxLength: 15, description: 'Who you are there.' }),
  system_type: Type.String({ maxLength: 12 }),
  bind: Type.Enum(['transceiver', 'transmitter_receiver'], { description: 'One connection for both ways, or two.' }),
  window: Type.Integer({ minimum: 1, maximum: 1000, description: 'Requests that may wait for their answers.' }),
  response_timeout_seconds: Type.Integer({
    minimum: 1,
    maximum: 300,
    description: 'How long an answer is waited for; an SMS without one waits for its receipt.',
  }),
  enquire_link_seconds: Type.Integer({
    minimum: 1,
    maximum: 3600,
    description: 'After such a silence the link is tried.',
  }),
  service_type: Type.String({ maxLength: 5 }),
  source_ton: indicator('Type of number of senders', 7),
  source_npi: indicator('Numbering plan of senders', 18),
  dest_ton: indicator('Type of number of recipients', 7),
  dest_npi: indicator('Numbering plan of recipients', 18),
  id_format: Type.Enum(['auto', 'same', 'decimal', 'hex'], {
    description:
      'How receipts write the ids of messages: as the answers do; or in this base, while the answers have the other. `auto` takes either for the same.',
  }),
};
const secrets = {
  password: Type.String({ maxLength: 8, description: 'Stored encrypted, never shown.' }),
  tls_key: Type.String({
    maxLength: 20_000,
    description:
      'PEM: the key of `tls_cert`, without a passphrase. Stored encrypted, never shown. Empty: there is none.',
  }),
};
const traffic = {
  messages_per_second: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'How fast parts of messages leave by it, over all processes together.',
  }),
  weight: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: "How much of the traffic it takes, beside the account's other links that are up.",
  }),
  enabled: Type.Boolean({ description: 'A link that is not enabled is closed, and nothing leaves by it.' }),
};
const name = { name: Type.String({ minLength: 1, maxLength: 100, description: 'Unlike that of any other link.' }) };

export const connectionNames = Object.keys(connection) as (keyof typeof connection)[];
export const secretNames = Object.keys(secrets) as (keyof typeof secrets)[];

/** Of what a new link leaves out. */
export const connectionDefaults = {
  port: 2775,
  tls: false,
  tls_verify: true,
  tls_ca: null,
  tls_cert: null,
  system_type: '',
  bind: 'transceiver',
  window: 10,
  response_timeout_seconds: 30,
  enquire_link_seconds: 30,
  service_type: '',
  source_ton: null,
  source_npi: null,
  dest_ton: null,
  dest_npi: null,
  id_format: 'auto',
} as const;

const changeable = Type.Partial(Type.Object({ ...name, ...connection, ...secrets, ...traffic })).properties;

export const SmsLinkCreate = Type.Object(
  {
    carrier: Type.Optional(
      Type.Enum(['smpp', 'sandbox'], {
        description:
          'What is spoken; left out: smpp. `smpp` needs a host, a system_id and a password; `sandbox` takes none of these.',
      }),
    ),
    ...changeable,
  },
  { title: 'SmsLinkCreate', description: 'Without a name, one is made up.' },
);
export type SmsLinkCreate = Static<typeof SmsLinkCreate>;

export const SmsLinkUpdate = Type.Object(changeable, {
  title: 'SmsLinkUpdate',
  description: 'What is left out stays as it is.',
});
export type SmsLinkUpdate = Static<typeof SmsLinkUpdate>;

const shown = Object.fromEntries(
  Object.entries(connection).map(([field, schema]) => [field, nullable(Type.Unsafe<unknown>(withoutRules(schema)))]),
);

/** What is shown was checked when it came. */
function withoutRules(schema: object): object {
  const { pattern: _pattern, 'x-message': _message, ...rest } = schema as Record<string, unknown>;
  return rest;
}

export const SmsLinkModel = Type.Object(
  {
    uuid: Uuid(),
    ...name,
    carrier: Type.String(),
    ...shown,
    ...traffic,
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'SmsLink', description: 'How to reach the other side is null where the carrier needs nothing.' },
);
export const SmsLinkPage = PageOf(SmsLinkModel, 'SmsLinkPage');

export function presentLink(row: LinkRow) {
  const settings = row.settings as Record<string, unknown>;
  return {
    uuid: row.uuid,
    name: row.name,
    carrier: row.carrier,
    ...Object.fromEntries(connectionNames.map((field) => [field, settings[field] ?? null])),
    messages_per_second: row.messages_per_second,
    weight: row.weight,
    enabled: row.enabled,
    created: row.created,
    modified: row.modified,
  };
}
