import type { Readable } from 'node:stream';

/**
 * Files of the product. Bytes are received into a temporary file on this machine, which is handed to the store before the row that
 * names it commits: a row without its file does not come about, a file without its row is swept up later (`removeOrphans`).
 */
export interface Files {
  /** Whether a file that is not there may still come: another host has it, and waits for the store. */
  readonly mayArrive: boolean;
  /** Writes a temporary file as the bytes come, whatever its size; leaves nothing when they break off or are too many. */
  receive(bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedFile>;
  /** Hands a file on this machine to the store, after which it is gone from its path; one of that name is replaced. */
  adopt(path: string, name: FileName): Promise<void>;
  /** Receives bytes and stores them under a name. */
  put(name: FileName, bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Omit<ReceivedFile, 'path'>>;
  /** The bytes, or some of them, and how large the whole file is; undefined: there is no such file. */
  get(name: FileName, range?: ByteRange): Promise<StoredFile | undefined>;
  /** undefined: there is no such file. */
  size(name: FileName): Promise<number | undefined>;
  /** Whether it is there or not; its draft goes too. */
  delete(name: FileName): Promise<void>;
  /** All files of an account, in every folder; answers how many there were. */
  deleteOf(accountId: string): Promise<number>;
  /** All files of a folder. */
  list(folder: string): AsyncIterable<ListedFile>;
  /** The path of a copy on this machine, for those who must open files themselves. To open it fails if there is no such file. */
  local(name: FileName): Promise<string>;
  /** A path that `local` answered is not needed any more: a copy that was made for it goes. */
  release(name: FileName, path: string): Promise<void>;
  /**
   * The path at which somebody writes a file by himself, for `adopt` when it is whole. It is the same whenever it is asked for, so
   * that what was written when the process died is found again.
   */
  draft(name: FileName): Promise<string>;
  /** Drafts on this machine that nobody has adopted: they are being written, or were when a process died. */
  drafts(folder: string): AsyncIterable<FileName>;
  /** Removes temporary files, and drafts, that a crash left behind on this machine. */
  discardTemporary(before: Date): Promise<void>;
}

export interface ReceivedFile {
  path: string;
  size: number;
  /** In hex. */
  sha256: string;
}

/** Both bounds belong to it. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface StoredFile {
  bytes: Readable;
  size: number;
}

export interface ListedFile {
  name: FileName;
  accountId: string;
  uuid: string;
  size: number;
  modified: Date;
}

/** Every folder in which accounts have files. */
export const fileFolders = ['media', 'audio', 'sounds', 'recordings', 'job-uploads', 'job-results'] as const;

/** `folder/account/file`: made of our own ids, so that no name leads out of the folder. */
export type FileName = `${string}/${string}/${string}`;

export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

/** The store of files does not answer, or refuses us. The sentence says why; it names no keys. */
export class FileStoreError extends Error {
  override name = 'FileStoreError';
  /** Whether the same may succeed later without anybody doing something about it. */
  readonly isPassing: boolean;

  constructor(why: string, { isPassing = false } = {}) {
    super(`The file store: ${why}`);
    this.isPassing = isPassing;
  }
}

const batchSize = 500;

export interface OrphanOptions {
  folder: string;
  /** Files that were written later are left alone: their rows may still be on their way. */
  before: Date;
  /** The uuids of those of these files that belong to something. */
  findKnown(files: Pick<ListedFile, 'accountId' | 'uuid'>[]): Promise<ReadonlySet<string>>;
}

/** Removes the old files of a folder that belong to nothing. */
export async function removeOrphans(files: Files, { folder, before, findKnown }: OrphanOptions): Promise<void> {
  const remove = async (batch: ListedFile[]): Promise<void> => {
    const known = await findKnown(batch);
    for (const { name, uuid } of batch) if (!known.has(uuid)) await files.delete(name);
  };
  let batch: ListedFile[] = [];
  for await (const file of files.list(folder)) {
    if (file.modified >= before || batch.push(file) < batchSize) continue;
    await remove(batch);
    batch = [];
  }
  if (batch.length > 0) await remove(batch);
}
