import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Carriers } from '../../../carriers/ports/carriers.ts';
import type { SmsInbox, SmsLink } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { type Leases, makeLeases } from '../../../platform/db/lease.ts';
import { type Found, makeAddresses } from '../../../platform/outbound/guard.ts';
import { steadyMs } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { makeReceivingAgain } from '../receive/again.ts';
import { receiveSms, type SmsHooks } from '../receive/receive.ts';
import { findCarrier, linkOf, linkTopic, secretProblem } from './links.ts';
import { findOwnedAnyAccount, type LinkRow, storeReportsAnyAccount } from './queries.ts';

const lookPauseMs = 1000;
const reportPauseMs = 5000;
/** How many are taken at a time, so that processes which start together share what there is. */
const mostTaken = 50;

const connectingOf = (carriers: Carriers) => carriers.all('sms').filter(({ sms }) => sms.keepOpen);

/** Which process has which link, of those that need a connection. */
export function linkLeases(db: Db, { carriers, workerNumber }: { carriers: Carriers; workerNumber: number }): Leases {
  const names = connectingOf(carriers).map(({ name }) => name);
  const wanted = sql`enabled and carrier = any (${names}::text[])`;
  return makeLeases({ db, workerNumber, table: 'sms_links', key: 'uuid', wanted, most: mostTaken, now: steadyMs });
}

/**
 * Keeps links open. Each enabled link is open in one process at a time, which has its lease (`platform/db/lease.ts`). Links of
 * carriers that need no connection belong to no process: whichever sends by them reports how they are doing.
 */
export function startLinks(deps: Deps, hooks: Partial<SmsHooks> = {}): { stop(): Promise<void> } {
  const { db, log, listener } = deps;
  const me = listener.workerNumber;
  const connecting = connectingOf(deps.carriers);
  const receivingAgain = makeReceivingAgain<SmsLink>(deps, (link, events) => receiveSms(deps, link, events, hooks));
  const inbox: SmsInbox = {
    async receive(link, events) {
      const shown = await receiveSms(deps, link, events, hooks);
      receivingAgain.note(link, events);
      return shown;
    },
  };
  const leases = linkLeases(db, { carriers: deps.carriers, workerNumber: me });
  const resolve = makeAddresses({ guard: deps.guards.smpp, now: steadyMs });
  let owned = new Map<string, { link: SmsLink; mark: string; problem: string | undefined }>();
  /** What carriers were last told to keep open, and what was last written about it. */
  let told = '';
  let written = new Map<string, string>();
  let reportAt = 0;

  const openOwned = async (): Promise<void> => {
    const rows = await findOwnedAnyAccount(db, me);
    const next = new Map(
      await Promise.all(
        rows.map(async (row) => [row.uuid, await readyLink(deps, resolve, row, owned.get(row.uuid)?.link)] as const),
      ),
    );
    owned = next;
    const marks = JSON.stringify([...next].map(([uuid, { mark }]) => [uuid, mark]));
    if (marks === told) return;
    reportAt = 0;
    for (const { name, sms } of connecting) {
      const links = [...owned.values()].filter(({ link, problem }) => link.carrier === name && !problem);
      await sms.keepOpen?.(
        links.map(({ link }) => link),
        inbox,
      );
    }
    told = marks;
  };

  const report = async (): Promise<void> => {
    reportAt = performance.now() + reportPauseMs;
    const known = [
      ...[...owned.values()].flatMap(({ link, problem }) => {
        const report = problem ? { lastError: problem } : findCarrier(deps, link.carrier)?.sms.report(link);
        return report ? [{ accountId: link.accountId, uuid: link.uuid, report: JSON.stringify(report) }] : [];
      }),
      ...deps.carriers
        .all('sms')
        .flatMap(({ sms }) =>
          [...(sms.usedLately?.() ?? [])].map((link) => ({ ...link, report: JSON.stringify(sms.report(link)) })),
        ),
    ];
    const reports = known.filter(({ uuid, report }) => written.get(uuid) !== report);
    if (reports.length > 0) await storeReportsAnyAccount(db, reports);
    written = new Map(known.map(({ uuid, report }) => [uuid, report]));
  };

  // Of several in one process, such as a test, the last one to start shows its links.
  deps.metrics.removeSingleMetric('parley_sms_links');
  new Gauge({
    name: 'parley_sms_links',
    help: 'SMS links that this server holds open, by carrier and state.',
    labelNames: ['carrier', 'state'],
    registers: [deps.metrics],
    collect() {
      for (const { name: carrier, sms } of connecting) {
        const links = [...owned.values()].filter(({ link }) => link.carrier === carrier);
        const up = links.filter(({ link, problem }) => !problem && sms.isUp(link)).length;
        this.set({ carrier, state: 'up' }, up);
        this.set({ carrier, state: 'down' }, links.length - up);
      }
    },
  });

  const look = async (): Promise<number> => {
    await leases.take();
    await openOwned();
    await leases.giveBack('unwanted');
    if (performance.now() >= reportAt) await report();
    return lookPauseMs;
  };
  const loop = startLoop(log, 'sms links', look, { watch: listener.poll.watch('exists (select 1 from sms_links)') });
  listener.on(linkTopic, () => loop.wake());

  return {
    async stop() {
      await loop.stop();
      await Promise.all(connecting.map(({ sms }) => sms.keepOpen?.([], inbox)));
      await receivingAgain.stop();
      await leases.giveBack('all');
    },
  };
}

/** A link with the address that it may connect to; the problem, if it may not. */
export async function readyLink(deps: Deps, resolve: (host: string) => Promise<Found>, row: LinkRow, before?: SmsLink) {
  const link = linkOf(deps, row);
  const unreadable = secretProblem(deps, row);
  if (unreadable !== undefined) return { link, mark: `${row.modified} ${unreadable}`, problem: unreadable };
  const { host } = link.settings as { host?: string };
  if (host === undefined) return { link, mark: row.modified, problem: undefined };
  const { addresses, problem } = await resolve(host);
  // A link keeps its address while its name has it.
  const last = before?.settings['host'] === host ? before.settings['address'] : undefined;
  const address = addresses.find((one) => one === last) ?? addresses[0];
  return {
    link: { ...link, settings: { ...link.settings, address } },
    mark: `${row.modified} ${address} ${problem}`,
    problem,
  };
}
