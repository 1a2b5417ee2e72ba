import { access, constants, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../kit/processes.ts';
import { startReceivers, waitUntilHeard } from '../kit/receivers.ts';
import { findFreePort } from '../kit/server.ts';
import { type Contender, pollMs, recipientDigits, sender, text, waitLimitMs } from './sms-contender.ts';
import { password, readBound, type Smsc, window } from './smsc.ts';

const bearerbox = '/usr/sbin/bearerbox';
const smsbox = '/usr/sbin/smsbox';
/** Only panics are logged. */
const quiet = ['-v', '4'];
/** Every report there is: taken by the centre, and delivered. */
const allReports = 31;
const reportsEach = 2;

export const hasKannel = (): Promise<boolean> =>
  Promise.all([bearerbox, smsbox].map((program) => access(program, constants.X_OK))).then(
    () => true,
    () => false,
  );

export type Keeping = 'in its store' | 'in memory';

/** Its name at the centre. */
export const kannelId = (keeping: Keeping): string => (keeping === 'in memory' ? 'kannel' : 'kannel-store');

/**
 * Kannel, the SMS gateway in C. It keeps what it has accepted in its store, from which it goes on after a crash, or in memory
 * alone; what it hears of is told to an address over HTTP.
 */
export async function startKannel(
  scope: AsyncDisposableStack,
  smsc: Smsc,
  directory: string,
  keeping: Keeping,
): Promise<Contender> {
  const systemId = kannelId(keeping);
  const ports = { admin: await findFreePort(), box: await findFreePort(), send: await findFreePort() };
  const file = path.join(directory, `${systemId}.conf`);
  const store = keeping === 'in memory' ? '' : `store-type = file\nstore-location = "${directory}/${systemId}.store"\n`;
  await writeFile(file, configuration({ systemId, ports, smscPort: smsc.port, store }));
  const receivers = await startReceivers(scope);
  startChild(scope, [bearerbox, ...quiet, file], {});
  await until('Kannel is bound', async () => (await readBound(smsc)).includes(systemId));
  startChild(scope, [smsbox, ...quiet, file], {});
  // It refuses this, for want of a password.
  const isServing = () =>
    fetch(`http://127.0.0.1:${ports.send}/cgi-bin/sendsms`).then(
      () => true,
      () => false,
    );
  await until("Kannel's smsbox answers", isServing);

  let sentBefore = 0;
  return {
    systemId,
    async target(withReceipts) {
      const url = new URL(`http://127.0.0.1:${ports.send}/cgi-bin/sendsms`);
      const credentials = { username: 'bench', password };
      const message = { from: sender, to: `44${recipientDigits}1234`, text };
      const reports = { 'dlr-mask': String(allReports), 'dlr-url': `${receivers.urls[0]!}?type=%d` };
      url.search = String(new URLSearchParams({ ...credentials, ...message, ...(withReceipts && reports) }));
      await receivers.reset();
      return { url: url.href, args: [] };
    },
    async untilSent(atLeast) {
      let sent = sentBefore;
      await until('Kannel has sent everything', async () => {
        const before = sent;
        const status = await readStatus(ports.admin);
        sent = status.sent;
        return status.queued === 0 && sent === before && sent - sentBefore >= atLeast;
      });
      sentBefore = sent;
    },
    async untilReported(count) {
      const heard = await waitUntilHeard(receivers, count * reportsEach);
      return Math.max(...heard.map(({ lastMs }) => lastMs ?? 0));
    },
  };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + waitLimitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It took too long until ${what}`);
    await sleep(pollMs);
  }
}

/** What its administration tells: SMS that the centre has answered, and those that wait. */
async function readStatus(port: number): Promise<{ sent: number; queued: number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/status.txt?password=${password}`);
  const page = await answer.text();
  const [, sent, queued] = /^SMS: .*sent (\d+) \((\d+) queued\)/m.exec(page) ?? [];
  if (sent === undefined) throw new Error(`Kannel tells nothing of its SMS: ${page}`);
  return { sent: Number(sent), queued: Number(queued) };
}

interface Setting {
  systemId: string;
  ports: { admin: number; box: number; send: number };
  smscPort: number;
  store: string;
}

const configuration = ({ systemId, ports, smscPort, store }: Setting): string => `
group = core
${store}admin-port = ${ports.admin}
admin-interface = "127.0.0.1"
admin-password = ${password}
smsbox-port = ${ports.box}
smsbox-interface = "127.0.0.1"
box-allow-ip = "127.0.0.1"
dlr-storage = internal
log-level = 4

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = ${systemId}
smsc-password = ${password}
system-type = ""
interface-version = 34
address-range = ""
max-pending-submits = ${window}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${ports.send}
sendsms-interface = "127.0.0.1"
log-level = 4

group = sendsms-user
username = bench
password = ${password}
max-messages = 10
concatenation = true

group = sms-service
keyword = default
max-messages = 0
text = "unused"
`;
