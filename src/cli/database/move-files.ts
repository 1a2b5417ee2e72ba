import { readConfig } from '../../platform/config.ts';
import { FileStoreError } from '../../platform/files/files.ts';
import { makeFilesInStore } from '../../platform/files/in-store.ts';
import { type Moved, moveFiles } from '../../platform/files/move.ts';
import { makeFilesOnDisk } from '../../platform/files/on-disk.ts';
import { openStore } from '../../platform/files/s3/client.ts';
import { Complaint, thousands } from '../terminal.ts';

export interface MoveOptions {
  to: 'store' | 'disk';
  json?: boolean;
}

const tellEveryMs = 5_000;
const mostNamed = 20;

/** Moves all files from DATA_DIR to the store of FILES_URL, or back. */
export async function moveAllFiles(env: Record<string, string | undefined>, { to, json }: MoveOptions): Promise<void> {
  const { dataDir, store: address } = readConfig(env);
  if (!address) throw new Complaint('FILES_URL names no store. Set it as the server has it.', 2);
  const store = openStore(address);
  try {
    await store.check();
    const disk = makeFilesOnDisk(dataDir);
    const stored = makeFilesInStore(store, { dataDir });
    if ((await stored.sendWaiting()) > 0) throw new Complaint('The file store does not take what waits for it.');
    const [from, target] = to === 'store' ? [disk, stored] : [stored, disk];
    tell(await moveFiles(from, target, { onProgress: teller() }), { to, ...(json && { json }) });
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error;
    throw new Complaint(`${error.message} What was moved is moved; run it again to go on.`);
  } finally {
    await store.close();
  }
}

function tell(moved: Moved, { to, json = false }: MoveOptions): void {
  const { different } = moved;
  if (json) console.log(JSON.stringify(moved));
  else console.log(`${sentenceOf(moved)} to the ${to}.`);
  if (different.length === 0) return;
  const named = different.slice(0, mostNamed).join('\n  ');
  throw new Complaint(`${different.length} are in both places with other bytes, and were left alone:\n  ${named}`);
}

function teller(): (moved: Readonly<Moved>) => void {
  let told = performance.now();
  return (moved) => {
    if (performance.now() - told < tellEveryMs) return;
    told = performance.now();
    console.error(`${sentenceOf(moved)} so far.`);
  };
}

const sentenceOf = ({ moved, bytes }: Readonly<Moved>): string =>
  `Moved ${thousands(moved)} files, ${thousands(bytes)} bytes`;
