import { CarrierRefusal } from '../../../carriers/ports/carriers.ts';
import type { CarrierTemplate } from '../../../carriers/ports/chat.ts';
import type { Deps, Task } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import { type ChatappAccountRow, findChatappAccount, senderOf } from '../../chatapp-accounts/index.ts';
import { templateCache } from '../fill/resolve.ts';
import { removeTemplate, submitTemplate, type TemplateJob } from '../submit.ts';
import { tellChanges } from '../tell.ts';
import {
  databaseTime,
  deleteUnlisted,
  findLeftAnyAccount,
  findSyncedAnyAccount,
  type SyncedTemplate,
  upsertListed,
} from './queries.ts';

export interface SyncJob {
  accountId: string;
  chatappAccount: string;
}

/** Makes the templates of a sender what its carrier says they are. */
export async function syncTemplates(deps: Deps, { accountId, chatappAccount }: SyncJob): Promise<void> {
  const row = await findChatappAccount(deps.db, accountId, chatappAccount);
  if (!row) return;
  const since = await databaseTime(deps.db);
  const listed = await listAt(deps, row);
  if (listed === null) return;
  const templates = listed.map((one) => ({ ...one, languageCode: one.languageCode.replaceAll('-', '_') }));
  const snapshot = { accountId, chatappAccount, since, templates };
  await within(deps, async (deps) => {
    const { db } = deps;
    const changed = await upsertListed(db, snapshot);
    const deleted = await deleteUnlisted(db, snapshot);
    await tellChanges(db, deps, accountId, [
      ...changed.map(({ uuid, ...is }) => ({ uuid, ...describe(is) })),
      ...deleted.map(({ uuid }) => ({ uuid, kind: 'template.deleted', announced: true })),
    ]);
  });
  deps.caches.forget(templateCache);
}

/** The carrier's templates; null also when it refuses for good, which only its settings can change. */
async function listAt(deps: Deps, row: ChatappAccountRow): Promise<CarrierTemplate[] | null> {
  try {
    return await deps.carriers.get(row.carrier, 'chat').chat.templates.list(senderOf(deps, row));
  } catch (error) {
    if (!(error instanceof CarrierRefusal) || error.temporary) throw error;
    deps.log.warn({ chatappAccount: row.uuid, code: error.code }, `Templates were not listed: ${error.message}`);
    return null;
  }
}

/** What is new here is no news for those who listen: it was there before. */
function describe({ status, quality, old_status, old_quality }: Omit<SyncedTemplate, 'uuid'>) {
  if (old_status === null) return { kind: 'template.found', announced: false };
  return { kind: 'template.changed', announced: status !== old_status || quality !== old_quality };
}

/** So many senders are handed to the queue at once. */
const chunkSize = 100;
/** From the first to the last of them: platforms, and the queue, have the whole hour for what is to be done every hour. */
const spreadMs = 50 * 60_000;

const chunksOf = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / chunkSize) }, (_, index) =>
    all.slice(index * chunkSize, (index + 1) * chunkSize),
  );

/** Has all templates fetched, and tries again what was given up. */
export async function syncAllTemplates({ db, queue, clock }: Pick<Deps, 'db' | 'queue' | 'clock'>): Promise<void> {
  const nowMs = clock.now().getTime();
  const chunks = chunksOf(await findSyncedAnyAccount(db));
  for (const [index, senders] of chunks.entries()) {
    const jobs = senders.map(({ account_id: accountId, uuid: chatappAccount }) => ({ accountId, chatappAccount }));
    const startAfter = new Date(nowMs + (index / chunks.length) * spreadMs);
    await queue.enqueue(db, 'templates.sync', jobs, index === 0 ? {} : { startAfter });
  }
  const left = Map.groupBy(await findLeftAnyAccount(db), ({ todo }) => todo);
  for (const [todo, task] of [
    ['SUBMIT', 'templates.submit'],
    ['DELETE', 'templates.delete'],
  ] as const) {
    for (const rows of chunksOf(left.get(todo) ?? [])) {
      const jobs = rows.map(({ account_id: accountId, uuid }) => ({ accountId, uuid }));
      await queue.enqueue(db, task, jobs);
    }
  }
}

/** Each job of a batch gets its try; if one fails, the batch comes again, and those that are done find nothing to do. */
const together =
  <P>(work: (deps: Deps, payload: P) => Promise<void>) =>
  async (deps: Deps, payloads: P[]): Promise<void> => {
    const results = await Promise.allSettled(payloads.map((payload) => work(deps, payload)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };

export const tasks: Task[] = [
  { name: 'templates.submit', batchSize: 10, handler: together<TemplateJob>(submitTemplate) } as Task,
  { name: 'templates.delete', batchSize: 10, handler: together<TemplateJob>(removeTemplate) } as Task,
  { name: 'templates.sync', batchSize: 10, handler: together<SyncJob>(syncTemplates) } as Task,
  { name: 'templates.sync-all', batchSize: 1, cron: '7 * * * *', handler: (deps) => syncAllTemplates(deps) },
];
