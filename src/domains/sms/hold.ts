import type { SmsInbox, SmsLink } from '../../carriers/ports/sms.ts';
import type { Deps } from '../../deps.ts';
import { steadyMs } from '../../platform/clock.ts';
import { startLoop } from '../../platform/loop.ts';
import { type Addresses, makeAddresses } from './link-address.ts';
import {
  findOwnedAnyAccount,
  findUnownedAnyAccount,
  type LinkRow,
  releaseLinksAnyAccount,
  storeReportsAnyAccount,
  takeLinksAnyAccount,
} from './link-queries.ts';
import { findCarrier, linkOf, linkTopic, secretProblem } from './links.ts';
import { receiveSms, type SmsHooks } from './receive.ts';

const lookPauseMs = 1000;
const reportPauseMs = 5000;
/** A process that only lost its session for a moment keeps its links. */
const graceMs = 3000;
/** At a time, so that processes which start together share what there is. */
const mostTaken = 50;

/**
 * Keeps links open. Each is held by one process at a time: its owner, by the number of its session lock. A link is taken when
 * nobody has it or its owner is no more, and let go of when it is disabled or this process stops.
 */
export function startLinks(deps: Deps, hooks: Partial<SmsHooks> = {}): { stop(): Promise<void> } {
  const { db, log, listener } = deps;
  const me = listener.workerNumber;
  const inbox: SmsInbox = { receive: (link, events) => receiveSms(deps, link, events, hooks) };
  const addresses = makeAddresses({ guard: deps.guards.smpp, now: steadyMs });
  /** Since when links were seen with an owner who is no more. */
  const deserted = new Map<string, number>();
  let held = new Map<string, { link: SmsLink; mark: string; problem: string | undefined }>();
  /** What carriers were last told to hold, and what was last written about it. */
  let told = '';
  const written = new Map<string, string>();
  let reportAt = 0;

  const take = async (): Promise<void> => {
    const unowned = await findUnownedAnyAccount(db, me, mostTaken);
    const seen = new Map(unowned.map((link) => [`${link.uuid} ${link.owner}`, link]));
    for (const key of deserted.keys()) if (!seen.has(key)) deserted.delete(key);
    for (const key of seen.keys()) if (!deserted.has(key)) deserted.set(key, performance.now());
    const free = [...seen].filter(
      ([key, { owner }]) => owner === null || deserted.get(key)! <= performance.now() - graceMs,
    );
    if (free.length > 0)
      await takeLinksAnyAccount(
        db,
        me,
        free.map(([, link]) => link),
      );
  };

  const hold = async (): Promise<void> => {
    const rows = await findOwnedAnyAccount(db, me);
    const next = new Map(
      await Promise.all(rows.map(async (row) => [row.uuid, await readyLink(deps, addresses, row)] as const)),
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
    await take();
    await hold();
    await releaseLinksAnyAccount(db, me, { all: false });
    if (performance.now() >= reportAt) await report();
    return lookPauseMs;
  });
  listener.on(linkTopic, () => loop.wake());

  return {
    async stop() {
      await loop.stop();
      await Promise.all(deps.carriers.all('sms').map(({ sms }) => sms.hold?.([], inbox)));
      await releaseLinksAnyAccount(db, me, { all: true });
    },
  };
}

/** A link with the address that it may connect to; the problem, if it may not. */
async function readyLink(deps: Deps, addresses: Addresses, row: LinkRow) {
  const link = linkOf(deps, row);
  const unreadable = secretProblem(deps, row);
  if (unreadable !== undefined) return { link, mark: `${row.modified} ${unreadable}`, problem: unreadable };
  const { host } = link.settings as { host?: string };
  if (host === undefined) return { link, mark: row.modified, problem: undefined };
  const { address, problem } = await addresses.of(link.uuid, host);
  return {
    link: { ...link, settings: { ...link.settings, address } },
    mark: `${row.modified} ${address} ${problem}`,
    problem,
  };
}
