import { sql } from 'kysely';
import type { SmsInbox, SmsLink } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { makeLeases } from '../../../platform/db/lease.ts';
import { type Found, makeAddresses } from '../../../platform/outbound/addresses.ts';
import { steadyMs } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { receiveSms, type SmsHooks } from '../receive/receive.ts';
import { findCarrier, linkOf, linkTopic, secretProblem } from './links.ts';
import { findOwnedAnyAccount, type LinkRow, storeReportsAnyAccount } from './queries.ts';

const lookPauseMs = 1000;
const reportPauseMs = 5000;
/** At a time, so that processes which start together share what there is. */
const mostTaken = 50;

/** Keeps links open. Each is held by one process at a time (`platform/db/lease.ts`), while it is enabled. */
export function startLinks(deps: Deps, hooks: Partial<SmsHooks> = {}): { stop(): Promise<void> } {
  const { db, log, listener } = deps;
  const me = listener.workerNumber;
  const inbox: SmsInbox = { receive: (link, events) => receiveSms(deps, link, events, hooks) };
  const leases = makeLeases({
    db,
    workerNumber: me,
    table: 'sms_links',
    key: 'uuid',
    wanted: sql`enabled`,
    most: mostTaken,
    now: steadyMs,
  });
  const resolve = makeAddresses({ guard: deps.guards.smpp, now: steadyMs });
  let held = new Map<string, { link: SmsLink; mark: string; problem: string | undefined }>();
  /** What carriers were last told to hold, and what was last written about it. */
  let told = '';
  const written = new Map<string, string>();
  let reportAt = 0;

  const hold = async (): Promise<void> => {
    const rows = await findOwnedAnyAccount(db, me);
    const next = new Map(
      await Promise.all(
        rows.map(async (row) => [row.uuid, await readyLink(deps, resolve, row, held.get(row.uuid)?.link)] as const),
      ),
    );
    held = next;
    const marks = JSON.stringify([...next].map(([uuid, { mark }]) => [uuid, mark]));
    if (marks === told) return;
    reportAt = 0;
    for (const { name, sms } of deps.carriers.all('sms')) {
      const links = [...held.values()].filter(({ link, problem }) => link.carrier === name && !problem);
      await sms.hold?.(
        links.map(({ link }) => link),
        inbox,
      );
    }
    told = marks;
  };

  const report = async (): Promise<void> => {
    reportAt = performance.now() + reportPauseMs;
    const reports = [...held.values()].flatMap(({ link, problem }) => {
      const { accountId, uuid } = link;
      const report = JSON.stringify(
        problem ? { lastError: problem } : findCarrier(deps, link.carrier)?.sms.report(link),
      );
      return report === undefined || written.get(uuid) === report ? [] : [{ accountId, uuid, report }];
    });
    if (reports.length === 0) return;
    await storeReportsAnyAccount(db, reports);
    for (const { uuid, report } of reports) written.set(uuid, report);
    for (const uuid of written.keys()) if (!held.has(uuid)) written.delete(uuid);
  };

  const loop = startLoop(log, 'sms links', async () => {
    await leases.take();
    await hold();
    await leases.giveBack('unwanted');
    if (performance.now() >= reportAt) await report();
    return lookPauseMs;
  });
  listener.on(linkTopic, () => loop.wake());

  return {
    async stop() {
      await loop.stop();
      await Promise.all(deps.carriers.all('sms').map(({ sms }) => sms.hold?.([], inbox)));
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
