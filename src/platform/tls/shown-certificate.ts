// Who the far end of a TLS connection is by its certificate. Authorities are each trunk's own: what one account trusts proves nothing to another.
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** What the far end showed: its own certificate first, then those that it sent with it. */
export interface ShownCertificate {
  /** Its alternative names, in small letters: hosts, addresses, and the domains of `sip:` URIs (RFC 5922, 7.1). */
  names: readonly string[];
  chain: readonly X509Certificate[];
}

/** More than any chain has. */
const mostCertificates = 6;

/** undefined: it showed none. */
export function shownBy(socket: TLSSocket): ShownCertificate | undefined {
  const chain: X509Certificate[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next?.raw && chain.length < mostCertificates) {
    chain.push(new X509Certificate(next.raw));
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate;
  }
  const [own] = chain;
  return own && { names: namesOf(own.subjectAltName ?? ''), chain };
}

/** Names with signs that could be taken for more than one are quoted by Node, and are none of these. */
export function namesOf(subjectAltName: string): string[] {
  return subjectAltName.split(', ').flatMap((entry) => {
    const [, kind = '', value = ''] = /^(DNS|IP Address|URI):(\S+)$/.exec(entry) ?? [];
    const name = (kind === 'URI' ? (/^sips?:([^@;?]+)$/i.exec(value)?.[1] ?? '') : value).toLowerCase();
    const isName = kind === 'IP Address' ? isIP(name) !== 0 : /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name);
    return isName ? [name] : [];
  });
}

/** The certificates in a PEM text. */
export const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  );

const isValid = ({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean =>
  validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime();

const isSignedBy = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

/** Whether a chain of certificates that are all valid now leads to one of these authorities. */
export function leadsTo({ chain }: ShownCertificate, authorities: readonly X509Certificate[], nowMs: number): boolean {
  let current = chain[0];
  for (let depth = 0; current && depth < mostCertificates; depth++) {
    const signed: X509Certificate = current;
    if (!isValid(signed, nowMs)) return false;
    if (authorities.some((authority) => isValid(authority, nowMs) && isSignedBy(signed, authority))) return true;
    current = chain.find((other) => other !== signed && isSignedBy(signed, other));
  }
  return false;
}

/** An error of a TLS connection, in a sentence if it is about the certificate. */
export function certificateProblem(error: Error): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isIt = /CERT|SIGNATURE|ISSUER|ALTNAME|CA_/.test(code) && !code.startsWith('ERR_SSL');
  // What follows a semicolon is advice about Node's command line.
  const [reason] = error.message.split(';');
  return isIt ? new Error(`The certificate is not trusted: ${reason}.`, { cause: error }) : error;
}
