import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { get } from 'node:http';
import { get as secureGet } from 'node:https';
import { createServer, isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { type Config, originOf } from '../../platform/config.ts';
import { leastBytes, lowShare } from '../../platform/process/disk.ts';
import { within } from '../../platform/time/pause.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const patienceMs = 5_000;
const soonDays = 21;
const dayMs = 86_400_000;

/** Who can read DATA_DIR, and whether it can be written. */
export async function checkDataDir({ dataDir }: Config): Promise<Finding[]> {
  const check = 'data_dir';
  const found = await stat(dataDir).catch(() => undefined);
  if (!found) return [ok(check, `${dataDir} is not there yet; the first start makes it.`)];
  if (!found.isDirectory()) return [problem(check, `${dataDir} is not a directory.`, 'Set DATA_DIR to one.')];
  const findings: Finding[] = [];
  const writable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    findings.push(
      problem(
        check,
        `${dataDir} cannot be written by this user.`,
        'Run this as the user that runs the server, or change the owner.',
      ),
    );
  if (process.platform !== 'win32') {
    for (const name of ['secret-key', 'postgres/postgres-password']) {
      const path = join(dataDir, name);
      const file = await stat(path).catch(() => undefined);
      if (file && (file.mode & 0o077) !== 0)
        findings.push(problem(check, `${path} can be read by others.`, `chmod 600 ${path}`));
    }
    if ((found.mode & 0o002) !== 0)
      findings.push(problem(check, `${dataDir} can be written by everybody.`, `chmod 700 ${dataDir}`));
  }
  return findings.length > 0
    ? findings
    : [ok(check, `${dataDir} is readable and writable, its secrets by the owner alone.`)];
}

/** Room for files and for the embedded database. */
export async function checkDisk({ dataDir }: Config): Promise<Finding[]> {
  const check = 'disk';
  const place = await firstThere(dataDir);
  const { bavail, bsize, blocks, ffree, files } = await statfs(place);
  const free = bavail * bsize;
  const share = blocks > 0 ? bavail / blocks : 1;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB (${Math.floor(share * 100)} %) free on the disk of ${place}`;
  const advice = 'Make room, or shorten retention_days of the accounts.';
  if (free < leastBytes) return [problem(check, `${text}: the next write may fail.`, advice)];
  if (files > 0 && ffree / files < 0.05)
    return [warning(check, `${ffree} inodes are left on the disk of ${place}.`, 'Remove small files.')];
  return [share < lowShare ? warning(check, `${text}.`, advice) : ok(check, `${text}.`)];
}

async function firstThere(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found || dirname(path) === path ? path : firstThere(dirname(path));
}

/** Whether the port is free, or Parley has it; then also what it says of itself. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const { PORT, HOST } = config;
  if (PORT === 0) return [ok('port', 'PORT=0 takes a free one.')];
  const failure = await tryListen(PORT, HOST);
  if (!failure) return [ok('port', `${HOST}:${PORT} is free; no Parley listens there.`)];
  if (failure !== 'EADDRINUSE')
    return [
      problem(
        'port',
        `${HOST}:${PORT} cannot be used (${failure}).`,
        'Set HOST to an address of this machine, and PORT to 1024 or above.',
      ),
    ];
  const url = originOf({ ...config, PUBLIC_URL: '' });
  const isParley = await askSelf(`${url}/healthz`)
    .then(({ ok, body }) => ok && (body as { status?: string }).status === 'ok')
    .catch(() => false);
  if (!isParley)
    return [problem('port', `${HOST}:${PORT} is taken by another program.`, 'Stop it, or set PORT to another one.')];
  return [ok('port', `Parley answers at ${url}.`), ...(await checkReadiness(url))];
}

async function checkReadiness(url: string): Promise<Finding[]> {
  const answer = await askSelf(`${url}/readyz`)
    .then(({ body }) => body as { status: string; checks: Record<string, string> })
    .catch(() => undefined);
  if (!answer) return [problem('ready', `${url}/readyz does not answer.`, 'Look at the log of the server.')];
  if (answer.status === 'ready') return [ok('ready', 'The server says that it is ready.')];
  const wrong = Object.entries(answer.checks).filter(([, text]) => text !== 'ok');
  return wrong.map(([part, text]) =>
    problem('ready', `The server is not ready: ${part}: ${text}`, 'See docs/outages.md.'),
  );
}

/** Asks the server on this machine; a certificate is made out to its public name, and not to an address such as 127.0.0.1. */
const askSelf = (url: string): Promise<{ ok: boolean; body: unknown }> =>
  new Promise((resolve, reject) => {
    const options = { signal: AbortSignal.timeout(patienceMs), rejectUnauthorized: false, agent: false };
    const ask = url.startsWith('https:') ? secureGet : get;
    ask(url, options, (answer) => {
      json(answer).then((body) => resolve({ ok: answer.statusCode === 200, body }), reject);
    }).once('error', reject);
  });

const tryListen = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });

/** Of a server with trunks that does not run: whether the port for SIP is free. */
export async function checkSipPort({ SIP_HOST, SIP_PORT }: Config): Promise<Finding[]> {
  const socket = createSocket(isIP(SIP_HOST) === 6 ? 'udp6' : 'udp4');
  const failure = await new Promise<string | undefined>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.bind(SIP_PORT, SIP_HOST, () => socket.close(() => resolve(undefined)));
  });
  if (!failure) return [ok('sip_port', `UDP ${SIP_HOST}:${SIP_PORT} is free.`)];
  return [
    problem(
      'sip_port',
      `UDP ${SIP_HOST}:${SIP_PORT} cannot be used (${failure}).`,
      'Stop what has it, or set SIP_PORT or SIP_HOST.',
    ),
  ];
}

/** Whether the names that the server connects to are known to DNS; `hosts`: what each is for. */
export async function checkNames(hosts: ReadonlyMap<string, string>): Promise<Finding[]> {
  const names = [...hosts].filter(([host]) => isIP(host.replace(/^\[|\]$/g, '')) === 0);
  const wrong = await Promise.all(
    names.map(async ([host, purpose]): Promise<Finding[]> => {
      const failure = await within(
        patienceMs,
        lookup(host).then(
          () => 'known',
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        ),
      );
      if (failure === 'known') return [];
      return [
        problem(
          'dns',
          `The name ${host} (${purpose}) is not found (${failure ?? 'no answer in time'}).`,
          'Check the name, and the resolver in /etc/resolv.conf.',
        ),
      ];
    }),
  );
  return names.length > 0 && wrong.flat().length === 0 ? [ok('dns', `${names.length} names are found.`)] : wrong.flat();
}

/** How long the certificate is valid that clients see at PUBLIC_URL. */
export async function checkCertificate({ PUBLIC_URL }: Config): Promise<Finding[]> {
  if (!PUBLIC_URL.startsWith('https://')) return [];
  const { hostname, port } = new URL(PUBLIC_URL);
  const check = 'certificate';
  const found = await readCertificate(hostname, Number(port || 443));
  if ('failure' in found) {
    return [
      warning(
        check,
        `${PUBLIC_URL} cannot be reached from here (${found.failure}).`,
        'If others reach it, all is well; else look at your proxy.',
      ),
    ];
  }
  const days = Math.floor((found.validTo.getTime() - Date.now()) / dayMs);
  if (days < 0) return [problem(check, `The certificate of ${hostname} ended ${-days} days ago.`, 'Renew it.')];
  if (found.refusal)
    return [
      problem(
        check,
        `The certificate of ${hostname} is not trusted (${found.refusal}).`,
        'Use one of an authority that clients know.',
      ),
    ];
  if (days < soonDays)
    return [
      warning(
        check,
        `The certificate of ${hostname} ends in ${days} days.`,
        'Renew it, and see why that does not happen by itself.',
      ),
    ];
  return [ok(check, `The certificate of ${hostname} is valid for ${days} days.`)];
}

type Certificate = { validTo: Date; refusal: string } | { failure: string };

const readCertificate = (host: string, port: number): Promise<Certificate> =>
  new Promise((resolve) => {
    // Looked at, whatever it is worth: nothing is sent over it.
    const socket = connect({
      host,
      port,
      servername: isIP(host) === 0 ? host : '',
      rejectUnauthorized: false,
      timeout: patienceMs,
    });
    const end = (result: Certificate): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      end({ validTo: new Date(valid_to), refusal: socket.authorized ? '' : String(socket.authorizationError) });
    });
    socket.once('timeout', () => end({ failure: 'no answer in time' }));
    socket.once('error', (error: NodeJS.ErrnoException) => end({ failure: error.code ?? error.message }));
  });
