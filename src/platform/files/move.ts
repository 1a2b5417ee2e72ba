import { createHash } from 'node:crypto';
import { type FileName, type Files, fileFolders, type ListedFile } from './files.ts';

export interface Moved {
  moved: number;
  bytes: number;
  /** In both places with other bytes: left where they are. */
  different: FileName[];
}

export interface MoveOptions {
  /** After each file. */
  onProgress?(soFar: Readonly<Moved>): void;
}

const atOnce = 8;

/**
 * Moves all files from one place to another. A file goes from the first when it was read again from the second, byte for byte: whenever
 * this ends, each is whole in one of them, and the next run goes on with those that are left.
 */
export async function moveFiles(from: Files, to: Files, { onProgress }: MoveOptions = {}): Promise<Moved> {
  const result: Moved = { moved: 0, bytes: 0, different: [] };
  const waiting = listAll(from);
  const work = async (): Promise<void> => {
    for await (const file of waiting) {
      if (await moveOne(from, to, file)) {
        result.moved++;
        result.bytes += file.size;
      } else result.different.push(file.name);
      onProgress?.(result);
    }
  };
  // An iterator that several share gives each file to one of them.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return result;
}

function listAll(files: Files): AsyncIterable<ListedFile> {
  const all = (async function* () {
    for (const folder of fileFolders) yield* files.list(folder);
  })();
  // Without `return`: one worker that fails does not end the others' list.
  return { [Symbol.asyncIterator]: () => ({ next: () => all.next() }) };
}

/** false: there is another one of that name. */
async function moveOne(from: Files, to: Files, { name }: ListedFile): Promise<boolean> {
  const source = await digestOf(from, name);
  // Somebody deleted it meanwhile.
  if (!source) return true;
  const there = await digestOf(to, name);
  if (there && !isSame(there, source)) return false;
  if (!there) {
    const file = await from.get(name);
    if (!file) return true;
    await to.put(name, file.bytes, file.size).finally(() => file.bytes.destroy());
    const stored = await digestOf(to, name);
    if (!stored || !isSame(stored, source)) throw new Error(`${name} did not arrive as it was, and stays where it is.`);
  }
  await from.delete(name);
  return true;
}

interface Digest {
  size: number;
  sha256: string;
}

const isSame = (one: Digest, other: Digest): boolean => one.size === other.size && one.sha256 === other.sha256;

async function digestOf(files: Files, name: FileName): Promise<Digest | undefined> {
  const file = await files.get(name);
  if (!file) return undefined;
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of file.bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}
