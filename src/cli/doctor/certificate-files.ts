import { stat } from 'node:fs/promises';
import { certificatePaths } from '../../certificates.ts';
import type { Config } from '../../platform/config.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { type CertificatePaths, endOf, readPair } from '../../platform/tls/certificate-files.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

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
