import type { Config } from '../config.ts';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../work/loop.ts';
import { FileStoreError, type Files } from './files.ts';
import type { FilesInStore } from './in-store.ts';
import { makeFilesOnDisk } from './on-disk.ts';
import { describeStore } from './s3/address.ts';
import type { ObjectStore } from './s3/client.ts';

export interface OpenFiles {
  files: Files;
  /** What is wrong, in a sentence for `/readyz`; null: nothing is, undefined: there is no store that could be away. */
  problem(): string | null | undefined;
  stop(): Promise<void>;
}

const lookPauseMs = 20_000;
const lookAgainPauseMs = 3_000;
const hourMs = 3_600_000;

/** The files of the product, where `FILES_URL` says: on the disk of DATA_DIR, or in a store of objects. */
export async function openFiles(config: Pick<Config, 'dataDir' | 'store'>, log: Log): Promise<OpenFiles> {
  const { dataDir, store: address } = config;
  if (!address) return { files: makeFilesOnDisk(dataDir), problem: () => undefined, stop: async () => {} };
  // Only who has a store reads what is needed for it.
  const [{ openStore }, { makeFilesInStore }] = await Promise.all([import('./s3/client.ts'), import('./in-store.ts')]);
  const store = openStore(address);
  const files = makeFilesInStore(store, { dataDir });
  try {
    const first = await lookAt(store);
    if (first && !first.isPassing) throw new StartError(`FILES_URL: ${first.message} (${describeStore(address)})`);
    const watch = watchStore(files, store, { first, log });
    const stop = async () => {
      await watch.stop();
      await store.close();
    };
    return { files, problem: watch.problem, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Looks now and then whether the store answers, and cleans up on this machine, which no other process does. */
function watchStore(
  files: FilesInStore,
  store: ObjectStore,
  { first, log }: { first: FileStoreError | undefined; log: Log },
) {
  let problem: string | null = null;
  const learn = (failure: FileStoreError | undefined): void => {
    if (failure && problem === null) log.warn(`${failure.message} Files cannot be read or stored until it is back.`);
    if (!failure && problem !== null) log.info('The file store is back.');
    problem = failure?.message ?? null;
  };
  learn(first);
  let cleaned = Number.NEGATIVE_INFINITY;
  const loop = startLoop(log, 'file store', async () => {
    learn(await lookAt(store));
    if (problem !== null) return lookAgainPauseMs;
    if (performance.now() - cleaned > hourMs) {
      cleaned = performance.now();
      await files.discardTemporary(new Date(Date.now() - 24 * hourMs));
    }
    return (await files.sendWaiting()) > 0 ? lookAgainPauseMs : lookPauseMs;
  });
  return { problem: () => problem, stop: () => loop.stop() };
}

async function lookAt(store: ObjectStore): Promise<FileStoreError | undefined> {
  try {
    await store.check();
  } catch (error) {
    if (error instanceof FileStoreError) return error;
    throw error;
  }
}
