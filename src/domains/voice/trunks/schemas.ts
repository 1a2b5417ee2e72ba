import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import type { TrunkRow } from './queries.ts';

const host = Type.String({
  pattern: '^[A-Za-z0-9]([A-Za-z0-9.:_-]{0,252}[A-Za-z0-9])?$|^::[0-9A-Fa-f.:]{1,40}$',
  'x-message': 'Enter a host name or an address.',
  description: 'Name or address of the carrier or exchange; calls come from its addresses, too.',
});
const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Unlike that of any other trunk.' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  transport: Type.Enum(['udp', 'tcp', 'tls']),
  tls_verify: Type.Boolean({
    description:
      'With `tls`: whether the certificate of the host must be valid and made out to it; for trials only, let it be any.',
  }),
  tls_ca: nullable(
    Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'With `tls`: an authority that signed the certificate, in PEM; null: a public one did.',
    }),
  ),
  tls_client_name: nullable(
    Type.String({
      maxLength: 253,
      pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$',
      'x-message': 'Enter a host name or an address.',
      description:
        'Inbound calls come over TLS with a certificate for this name or address (a subject alternative name), signed by `tls_ca`, and are refused with 403 otherwise, whatever their address or password. null: no certificate is needed.',
    }),
  ),
  srtp: Type.Enum(['off', 'optional', 'required'], {
    description:
      'Whether speech is encrypted (SRTP with keys by SDES): never, if the carrier does so, too, or always, so that other calls are refused with 488. Needs `tls`.',
  }),
  username: Type.String({
    maxLength: 100,
    pattern: '^[^\\s"<>@:;\\\\]*$',
    'x-message': 'Enter a user name without spaces, quotation marks and signs of an address.',
    description: 'For carriers that ask who calls, for registration, and for calls from addresses that nobody allowed.',
  }),
  register: Type.Boolean({ description: 'Whether the carrier is told where to bring calls; needs a user name.' }),
  allowed_addresses: Type.Array(Type.String({ maxLength: 50 }), {
    maxItems: 50,
    description: 'Addresses and networks (`192.0.2.0/24`) that calls come from, besides those of the host.',
  }),
  codecs: Type.Array(Type.Enum(['PCMU', 'PCMA']), {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: 'In the order in which they are preferred.',
  }),
  from_domain: Type.String({
    pattern: '^([A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?)?$',
    'x-message': 'Enter a domain.',
    description: 'In the addresses of callers, where the carrier wants its own there; left out: the host.',
  }),
  weight: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: "How much of the traffic it takes, beside the account's other trunks that are up.",
  }),
  enabled: Type.Boolean({ description: 'By a trunk that is not enabled nothing comes or goes.' }),
};
const secrets = {
  password: Type.String({
    maxLength: 200,
    description:
      'At least 8 characters; empty: none. Stored encrypted, never shown. Who knows it may call from any address.',
  }),
};

const { properties: changeable } = Type.Partial(Type.Object({ host, ...fields, ...secrets }));

export const SipTrunkCreate = Type.Object(
  { ...changeable, host },
  { title: 'SipTrunkCreate', description: 'Without a name, one is made up.' },
);
export type SipTrunkCreate = Static<typeof SipTrunkCreate>;

export const SipTrunkUpdate = Type.Object(changeable, {
  title: 'SipTrunkUpdate',
  description: 'What is left out stays as it is.',
});
export type SipTrunkUpdate = Static<typeof SipTrunkUpdate>;

/** Of what a new trunk leaves out. */
export const trunkDefaults = {
  port: 5060,
  transport: 'udp',
  tls_verify: true,
  tls_ca: null as string | null,
  tls_client_name: null as string | null,
  srtp: 'off',
  username: '',
  register: false,
  allowed_addresses: [] as string[],
  codecs: ['PCMU', 'PCMA'],
  from_domain: '',
  weight: 1,
  enabled: true,
};

export const SipTrunkModel = Type.Object(
  {
    uuid: Uuid(),
    ...fields,
    // What is shown was checked when it came.
    host: Type.String(),
    username: Type.String(),
    from_domain: Type.String(),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'SipTrunk' },
);
export const SipTrunkPage = PageOf(SipTrunkModel, 'SipTrunkPage');

export function presentTrunk({ account_id: _account, password: _password, ...row }: TrunkRow) {
  return row as Static<typeof SipTrunkModel>;
}
