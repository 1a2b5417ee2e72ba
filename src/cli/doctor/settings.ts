import { stat } from 'node:fs/promises';
import { type Config, isLoopback } from '../../platform/config.ts';
import { StartError } from '../../platform/errors.ts';
import { type CertificatePaths, certificatePaths, endOf, readPair } from '../../platform/tls/certificate-files.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const oldestNode = 24;
const shortestKey = 16;

/** Settings that are valid and still not what a server should run with. */
export function checkSettings(config: Config): Finding[] {
  const found: Finding[] = [];
  const check = 'settings';
  const warn = (text: string, advice: string): void => void found.push(warning(check, text, advice));
  const isOpen = !isLoopback(config.HOST);
  if (isOpen && config.PUBLIC_URL === '') {
    warn(
      `HOST=${config.HOST} opens the server to others, and PUBLIC_URL is empty.`,
      'Set PUBLIC_URL, or links lead to an address of this machine.',
    );
  }
  if (config.PUBLIC_URL.startsWith('http://') && !isLoopback(new URL(config.PUBLIC_URL).hostname)) {
    warn(
      'PUBLIC_URL is not encrypted (http).',
      'Set TLS_CERT_FILE and TLS_KEY_FILE, or put a proxy with TLS in front; and set PUBLIC_URL to https://….',
    );
  }
  if (config.PUBLIC_URL.startsWith('https://') && config.TLS_CERT_FILE === '' && config.trustProxy === false) {
    warn(
      'PUBLIC_URL is https, and TRUST_PROXY believes no proxy.',
      'Set TRUST_PROXY to the number of proxies in front, or limits count the proxy as one client.',
    );
  }
  if (config.trustProxy === true && isOpen)
    warn('TRUST_PROXY=true believes every client what address it has.', 'Name your proxies instead.');
  if (config.WEBHOOK_ALLOW_PRIVATE)
    warn(
      'WEBHOOK_ALLOW_PRIVATE=true lets tenants reach your own network.',
      'Use WEBHOOK_ALLOW with the networks that are meant.',
    );
  if (config.SECRET_KEY_CHANGED)
    warn('SECRET_KEY_CHANGED=true is meant for one start.', 'Remove it, so that a wrong key is noticed.');
  if (config.SECRET_KEY !== '' && config.SECRET_KEY.length < shortestKey) {
    warn(
      `SECRET_KEY has ${config.SECRET_KEY.length} characters.`,
      'Take a long random one before the first carrier secret is stored; later, SECRET_KEY_CHANGED says what a change costs.',
    );
  }
  if (isOpen && config.METRICS_TOKEN === '')
    warn('Whoever reaches the server can read /metrics.', 'Set METRICS_TOKEN, or keep /metrics from the outside.');
  const node = Number.parseInt(process.versions.node, 10);
  if (node < oldestNode)
    found.push(problem('node', `This is Node.js ${process.versions.node}.`, `Parley needs ${oldestNode} or newer.`));
  else found.push(ok('node', `Node.js ${process.versions.node}`));
  return found.some((one) => one.check === check) ? found : [ok(check, 'The settings are valid.'), ...found];
}

const check = 'tls_files';
const soonDays = 21;
const dayMs = 86_400_000;

/** The files that the settings name: whether they fit together, who can read the key, and how long the certificate is valid. */
export async function checkCertificateFiles(config: Config): Promise<Finding[]> {
  const found = await Promise.all(Object.values(certificatePaths(config)).map(checkFiles));
  return found.flat();
}

async function checkFiles(paths: CertificatePaths): Promise<Finding[]> {
  const { certFile, keyFile } = paths;
  try {
    const pair = await readPair(paths);
    const findings: Finding[] = [];
    const { mode } = await stat(keyFile);
    if (process.platform !== 'win32' && (mode & 0o007) !== 0)
      findings.push(problem(check, `${keyFile} can be read by everybody.`, `chmod 640 ${keyFile}`));
    const days = Math.floor((endOf(pair).getTime() - Date.now()) / dayMs);
    const renew = 'Renew it; the server reads the new files by itself.';
    if (days < 0) findings.push(problem(check, `The certificate in ${certFile} ended ${-days} days ago.`, renew));
    else if (days < soonDays)
      findings.push(warning(check, `The certificate in ${certFile} ends in ${days} days.`, renew));
    return findings.length > 0 ? findings : [ok(check, `The certificate in ${certFile} is valid for ${days} days.`)];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [
      problem(check, error.message, 'Correct the settings or the files; a server that runs keeps the pair before.'),
    ];
  }
}
