import type { SmsLink } from '../../ports/sms.ts';
import type { BindMode, Peer } from '../session/connect.ts';

/** How receipts write the ids of messages: as the answers do; or in this base, while the answers have the other. */
export type IdFormat = 'auto' | 'same' | 'decimal' | 'hex';

/** Type of number and numbering plan (SMPP 3.4, 5.2.5 and 5.2.6). */
export interface AddressKind {
  ton: number;
  npi: number;
}

/** The settings of a link, by the names they have in the API (`docs/smpp.md`). */
export interface SmppSettings {
  host: string;
  /** What `host` was found to be: connected to in its place, while the certificate is still checked against the name. */
  address?: string;
  port: number;
  tls?: boolean;
  /** `false`: any certificate will do. */
  tls_verify?: boolean;
  /** PEM, for a centre whose certificate is not signed by a public authority. */
  tls_ca?: string | null;
  /** PEM, for a centre that asks who we are. */
  tls_cert?: string | null;
  tls_key?: string;
  system_id: string;
  password?: string;
  system_type?: string;
  bind?: 'transceiver' | 'transmitter_receiver';
  window?: number;
  response_timeout_seconds?: number;
  enquire_link_seconds?: number;
  /** For senders that are numbers; without them told from the number. */
  source_ton?: number | null;
  source_npi?: number | null;
  dest_ton?: number | null;
  dest_npi?: number | null;
  service_type?: string;
  id_format?: IdFormat;
}

export interface LinkPlan {
  peer: Peer;
  binds: readonly BindMode[];
  session: { window: number; responseTimeoutMs: number; enquireLinkMs: number };
  source: Partial<AddressKind>;
  destination: Partial<AddressKind>;
  serviceType: string;
  idFormat: IdFormat;
}

const binds = {
  transceiver: ['transceiver'],
  transmitter_receiver: ['transmitter', 'receiver'],
} as const;

/** They were checked when the link was made. */
export function planOf({ settings }: SmsLink): LinkPlan {
  const given = settings as unknown as SmppSettings;
  return {
    peer: {
      host: given.address ?? given.host,
      port: given.port,
      ...(given.tls && { tls: tlsOf(given) }),
      systemId: given.system_id,
      password: given.password ?? '',
      systemType: given.system_type ?? '',
    },
    binds: binds[given.bind ?? 'transceiver'],
    session: {
      window: given.window ?? 10,
      responseTimeoutMs: (given.response_timeout_seconds ?? 30) * 1000,
      enquireLinkMs: (given.enquire_link_seconds ?? 30) * 1000,
    },
    source: kindOf(given.source_ton, given.source_npi),
    destination: kindOf(given.dest_ton, given.dest_npi),
    serviceType: given.service_type ?? '',
    idFormat: given.id_format ?? 'auto',
  };
}

const tlsOf = ({ host, tls_ca: ca, tls_verify: verify = true, ...own }: SmppSettings): NonNullable<Peer['tls']> => ({
  // An address cannot be asked for by name.
  ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
  ...(ca && { ca }),
  ...(own.tls_cert && own.tls_key && { cert: own.tls_cert, key: own.tls_key }),
  ...(!verify && { rejectUnauthorized: false }),
});

const kindOf = (ton: number | null | undefined, npi: number | null | undefined): Partial<AddressKind> => ({
  ...(typeof ton === 'number' && { ton }),
  ...(typeof npi === 'number' && { npi }),
});

/** Whether a connection made for one will do for the other. Another address of the same host is no reason to leave. */
export function isSameLink(one: SmsLink, other: SmsLink): boolean {
  const essence = ({ messagesPerSecond, settings }: SmsLink): string => {
    const { address: _, ...rest } = settings;
    return JSON.stringify([messagesPerSecond, Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  };
  return essence(one) === essence(other);
}
