// A certificate and its key in two files, which others renew while we run: looked at every few seconds, and when somebody asks.
import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';

export interface CertificatePair {
  cert: Buffer;
  key: Buffer;
}

export interface CertificateFiles {
  /** What is used now: the last pair that fitted. */
  current(): CertificatePair;
  /** Told of every new pair; answers how not to be told any more. */
  onChange(listener: (pair: CertificatePair) => void): () => void;
  /** Reads the files now, whether or not they look changed. */
  reload(): Promise<void>;
  close(): void;
}

export interface CertificatePaths {
  /** What the settings are called, for sentences. */
  names: readonly [cert: string, key: string];
  certFile: string;
  keyFile: string;
}

const lookMs = 5_000;
const dayMs = 86_400_000;
const soonDays = 14;

/**
 * Opens the pair; one that cannot be used stops the start with a sentence. Later a pair that cannot be used is logged, and the one before
 * stays: whoever renews may have written only one of the two files yet.
 */
export async function openCertificateFiles(
  paths: CertificatePaths,
  { log, everyMs = lookMs }: { log: Log; everyMs?: number },
): Promise<CertificateFiles> {
  const { certFile } = paths;
  const listeners = new Set<(pair: CertificatePair) => void>();
  let seen = await signatureOf(paths);
  let pair = await readPair(paths);
  warnOfEnd(pair, certFile, log);
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    try {
      const found = await readPair(paths);
      if (found.cert.equals(pair.cert) && found.key.equals(pair.key)) return;
      pair = found;
      log.info(`The certificate in ${certFile} was read again; new connections use it.`);
      warnOfEnd(pair, certFile, log);
      for (const listener of listeners) listener(pair);
    } catch (error) {
      log.error(`${(error as Error).message} The certificate before it stays in use.`);
    }
  };
  /** One at a time: whoever asks meanwhile waits for a reading that began after they asked. */
  const reload = async (): Promise<void> => {
    while (reading) await reading;
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const look = async (): Promise<void> => {
    const found = await signatureOf(paths);
    if (found === seen) return;
    seen = found;
    await reload();
  };
  const timer = setInterval(() => void look().catch(() => {}), everyMs).unref();
  return {
    current: () => pair,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload,
    close: () => clearInterval(timer),
  };
}

/** Both files, checked to be a certificate and its key. */
export async function readPair({ names, certFile, keyFile }: CertificatePaths): Promise<CertificatePair> {
  // One after the other: where both are missing, the certificate is named, whichever was noticed first.
  const cert = await readNamed(names[0], certFile);
  const key = await readNamed(names[1], keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new StartError(
      `${names[0]}=${certFile} and ${names[1]}=${keyFile} are not a certificate and its key in PEM (${reasonOf(error)}).`,
    );
  }
  return { cert, key };
}

/** OpenSSL says more than the first words: `error:05800074:x509 certificate routines::key values mismatch`. */
const reasonOf = (error: unknown): string => (error as Error).message.split('::').at(-1)!;

async function readNamed(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new StartError(`${name}=${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Changes when either file does; symbolic links, as certbot and Kubernetes use them, are followed. */
async function signatureOf({ certFile, keyFile }: CertificatePaths): Promise<string> {
  const parts = await Promise.all(
    [certFile, keyFile].map((file) =>
      stat(file).then(
        ({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`,
        () => 'away',
      ),
    ),
  );
  return parts.join(' ');
}

/** When the certificate ends; its first one, if it comes with those of its authorities. */
export const endOf = ({ cert }: CertificatePair): Date => new Date(new X509Certificate(cert).validTo);

function warnOfEnd(pair: CertificatePair, file: string, log: Log): void {
  const days = Math.floor((endOf(pair).getTime() - Date.now()) / dayMs);
  if (days < 0) log.warn(`The certificate in ${file} has expired: clients will refuse it.`);
  else if (days < soonDays) log.warn(`The certificate in ${file} expires in ${days} days.`);
}

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
