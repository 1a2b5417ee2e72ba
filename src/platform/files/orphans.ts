import type { Files, ListedFile } from './files.ts';

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
