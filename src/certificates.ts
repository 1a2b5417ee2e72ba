import type { Config } from './platform/config.ts';
import type { Log } from './platform/log.ts';
import {
  type CertificateFiles,
  type CertificatePaths,
  openCertificateFiles,
} from './platform/tls/certificate-files.ts';

/** The certificates that this server shows to others. */
export interface Certificates {
  /** Undefined: HTTP is not encrypted by this server. */
  https: CertificateFiles | undefined;
  /** Undefined: nobody reaches us by SIP over TLS. */
  sip: CertificateFiles | undefined;
  /** Reads all files again. */
  reload(): Promise<void>;
  close(): void;
}

type Settings = Pick<Config, 'TLS_CERT_FILE' | 'TLS_KEY_FILE' | 'SIP_TLS_CERT_FILE' | 'SIP_TLS_KEY_FILE'>;

/** The files that the settings name, each pair once. */
export function certificatePaths(settings: Settings): { https?: CertificatePaths; sip?: CertificatePaths } {
  const named = (cert: 'TLS_CERT_FILE' | 'SIP_TLS_CERT_FILE', key: 'TLS_KEY_FILE' | 'SIP_TLS_KEY_FILE') =>
    settings[cert] === ''
      ? undefined
      : { names: [cert, key] as const, certFile: settings[cert], keyFile: settings[key] };
  const https = named('TLS_CERT_FILE', 'TLS_KEY_FILE');
  const sip = named('SIP_TLS_CERT_FILE', 'SIP_TLS_KEY_FILE');
  return { ...(https && { https }), ...(sip && { sip }) };
}

/** Whether a SIGHUP has anything to read again. */
export const hasCertificates = (settings: Settings): boolean => Object.keys(certificatePaths(settings)).length > 0;

export async function openCertificates(config: Settings, log: Log): Promise<Certificates> {
  const paths = certificatePaths(config);
  const https = paths.https && (await openCertificateFiles(paths.https, { log }));
  const own = paths.sip && (await openCertificateFiles(paths.sip, { log }));
  const opened = [https, own].filter((one) => one !== undefined);
  return {
    https,
    sip: own ?? https,
    reload: async () => void (await Promise.all(opened.map((one) => one.reload()))),
    close() {
      for (const one of opened) one.close();
    },
  };
}
