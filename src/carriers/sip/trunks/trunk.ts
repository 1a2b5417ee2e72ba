import type { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Unreadable, type Vault } from '../../../platform/secrets.ts';
import { certificatesIn } from '../../../platform/tls/shown-certificate.ts';
import type { Credentials } from '../signalling/authentication/digest.ts';
import type { Codec, Encryption } from '../signalling/sdp/negotiate.ts';
import type { Expected, Peer, Protocol } from '../signalling/transport/wire.ts';
import type { TrunkRow } from './queries.ts';

/** A way of an account's calls to the outside world, ready to be used. */
export interface Trunk {
  accountId: string;
  uuid: string;
  name: string;
  host: string;
  port: number;
  protocol: Protocol;
  username: string;
  password: string;
  registers: boolean;
  codecs: readonly Codec[];
  fromDomain: string;
  weight: number;
  /** Whether speech is encrypted. */
  encryption: Encryption;
  /** Of TLS: whether the certificate of the host must be good, and by which authorities besides the public ones. */
  isVerified: boolean;
  ca: string;
  /** The name that the certificate of callers must have, in small letters, and who must have signed it; '': they need none. */
  callerName: string;
  callerAuthorities: readonly X509Certificate[];
  /** The addresses of the host, the one that we call first; none: the name does not resolve, or the guard refuses it. */
  addresses: readonly string[];
  /** Why there are none. */
  problem: string;
  /** The networks that calls may come from besides. */
  allowed: readonly string[];
  /** Changes with anything that a registration depends on. */
  mark: string;
}

export function trunkOf(
  vault: Pick<Vault, 'open'>,
  row: TrunkRow,
  found: { addresses: readonly string[]; problem: string },
): Trunk {
  const password = passwordOf(vault, row);
  // Without its password a trunk takes no outbound calls; inbound calls from its addresses are still admitted.
  const [addresses, problem] = password === undefined ? [[], unreadable] : [found.addresses, found.problem];
  return {
    accountId: row.account_id,
    uuid: row.uuid,
    name: row.name,
    host: row.host,
    port: row.port,
    protocol: row.transport as Protocol,
    username: row.username,
    password: password ?? '',
    registers: row.register,
    codecs: row.codecs as Codec[],
    fromDomain: domainText(row.from_domain || row.host),
    weight: row.weight,
    encryption: row.srtp as Encryption,
    isVerified: row.tls_verify,
    ca: row.tls_ca ?? '',
    callerName: row.tls_client_name?.toLowerCase() ?? '',
    callerAuthorities: row.tls_client_name === null ? [] : certificatesIn(row.tls_ca ?? ''),
    addresses,
    problem,
    allowed: row.allowed_addresses,
    mark: `${row.modified} ${addresses.join()} ${problem}`,
  };
}

const unreadable = 'Its password cannot be decrypted with this SECRET_KEY. Enter it again.';

/** undefined: it was sealed with another key. */
function passwordOf(vault: Pick<Vault, 'open'>, { password }: TrunkRow): string | undefined {
  if (password === null) return '';
  try {
    return vault.open(password);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return undefined;
  }
}

/** undefined: nobody knows where it is. */
export function peerOf(trunk: Trunk): Peer | undefined {
  const { addresses, protocol, port } = trunk;
  const [address] = addresses;
  if (address === undefined) return undefined;
  return { protocol, address, port, ...(protocol === 'tls' && { expected: expectedOf(trunk) }) };
}

/** Who a trunk is by its certificate. */
export const expectedOf = ({ host, ca, isVerified }: Trunk): Expected => ({ name: host, ca, isVerified });

/** Keys of speech are written in the signalling: where that can be read, they would be no secret (RFC 4568, 7). */
export const encryptionOf = (wanted: Encryption, { protocol }: Peer): Encryption =>
  protocol === 'tls' || wanted === 'required' ? wanted : 'off';

export const credentialsOf = ({ username, password, addresses }: Trunk): Credentials | undefined =>
  username !== '' && password !== '' ? { username, password, addresses } : undefined;

/** As it stands in an address: a name, perhaps with a port, or an IPv6 address in brackets. */
const domainText = (domain: string): string => (isIPv6(domain) ? `[${domain}]` : domain);
