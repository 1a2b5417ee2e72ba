import type { Config } from './platform/config.ts';
import type { Log } from './platform/log.ts';
import { type CertificateFiles, openCertificateFiles } from './platform/tls/certificate-files.ts';

/** The certificates that this server shows to others. */
export interface Certificates {
  /** Undefined: HTTP is not encrypted by this server. */
  https: CertificateFiles | undefined;
  /** Reads all files again. */
  reload(): Promise<void>;
  close(): void;
}

/** Whether a SIGHUP has anything to read again. */
export const hasCertificates = ({ TLS_CERT_FILE }: Config): boolean => TLS_CERT_FILE !== '';

export async function openCertificates(config: Config, log: Log): Promise<Certificates> {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = config;
  const https =
    certFile === ''
      ? undefined
      : await openCertificateFiles({ names: ['TLS_CERT_FILE', 'TLS_KEY_FILE'], certFile, keyFile }, { log });
  return {
    https,
    reload: async () => https?.reload(),
    close: () => https?.close(),
  };
}
