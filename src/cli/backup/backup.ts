import { createReadStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Description, dumpName, formatNumber, secretKeyName } from '../../platform/backup/contents.ts';
import { addEmbeddedDatabase, addFiles, addStoreList, addUnsent } from '../../platform/backup/sources.ts';
import { type BackupWriter, openBackup } from '../../platform/backup/write.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import { FileStoreError } from '../../platform/files/files.ts';
import { makeFilesInStore } from '../../platform/files/in-store.ts';
import { makeFilesOnDisk } from '../../platform/files/on-disk.ts';
import { openStore } from '../../platform/files/s3/client.ts';
import { ringSource } from '../../platform/keys/read-ring.ts';
import { walPosition } from '../../platform/postgres/wal/archive.ts';
import { productVersion } from '../../platform/version.ts';
import { directUrlOf, openSource, readVersions, type Source } from '../database/own-database.ts';
import { Complaint, thousands } from '../terminal.ts';
import { dumpDatabase } from './dump.ts';

export interface BackupOptions {
  copyStore?: boolean;
  json?: boolean;
}

const tellEveryMs = 5_000;
const progress = (line: string): void => console.error(line);

/** Writes the database, the files and the secrets of DATA_DIR to one file while the server runs. */
export async function backUp(
  env: Record<string, string | undefined>,
  name: string | undefined,
  { copyStore = false, json }: BackupOptions,
): Promise<void> {
  const config = readConfig(env);
  const file = resolve(name ?? `parley-backup-${stampOf(new Date())}.tar.zst`);
  await refuseTaken(file);
  const source = await openSource(config, progress);
  const draft = `${file}.part-${process.pid}`;
  let writer: BackupWriter | undefined;
  let told: NodeJS.Timeout | undefined;
  try {
    const description = await describe(config, source, copyStore);
    writer = await openBackup(draft, description);
    const { soFar } = writer;
    told = setInterval(() => progress(`${thousands(soFar().bytes)} bytes so far`), tellEveryMs);
    const files = await addAll(writer, { config, source, draft, copyStore });
    await writer.finish();
    await rename(draft, file);
    const { size } = await stat(file);
    const result = {
      file,
      bytes: size,
      created: description.created,
      files,
      has_secret_key: description.has_secret_key,
    };
    if (json) console.log(JSON.stringify(result));
    else {
      console.log(`${file}: ${thousands(size)} bytes, the database and ${filesText(files, description)}.`);
      if (!description.has_secret_key) {
        console.log('SECRET_KEY is not in it, as DATA_DIR has none: keep yours apart, or stored passwords are lost.');
      }
    }
  } catch (error) {
    await writer?.abandon();
    if (error instanceof FileStoreError) throw new Complaint(error.message);
    throw sentenceFor(error, file);
  } finally {
    clearInterval(told);
    await source.stop();
  }
}

interface Parts {
  config: Config;
  source: Source;
  draft: string;
  copyStore: boolean;
}

/** The database first: a row is stored after its file, so every file that a row in it names is there to be copied. */
async function addAll(writer: BackupWriter, { config, source, draft, copyStore }: Parts): Promise<number> {
  const { dataDir } = config;
  if (source.embedded) await addEmbeddedDatabase(writer, source.embedded, join(dataDir, 'postgres'));
  else {
    const dump = `${draft}.dump`;
    try {
      await dumpDatabase({ url: directUrlOf(source.connection), file: dump, searchPath: config.searchPath });
      await writer.add(dumpName, (await stat(dump)).size, createReadStream(dump));
    } finally {
      await rm(dump, { force: true });
    }
  }
  if (ringSource(config) === 'file') await writer.addFile(secretKeyName, join(dataDir, secretKeyName));
  if (!config.store) return addFiles(writer, makeFilesOnDisk(dataDir));
  const store = openStore(config.store);
  try {
    const files = makeFilesInStore(store, { dataDir });
    const unsent = await addUnsent(writer, dataDir);
    const stored = copyStore ? await addFiles(writer, files) : await addStoreList(writer, files, `${draft}.list`);
    return unsent + stored;
  } finally {
    await store.close();
  }
}

async function describe(config: Config, source: Source, copyStore: boolean): Promise<Description> {
  const { kind, connection } = source;
  const { postgres, migration, isCitus } = await readVersions(connection);
  if (migration === undefined)
    throw new Complaint('The database holds nothing of Parley yet: there is nothing to back up.');
  if (isCitus) {
    throw new Complaint(
      'The database is a Citus cluster: back its nodes up with the tools of the cluster, and DATA_DIR with `tar`.',
    );
  }
  const wal = source.embedded && (await walPosition(source.embedded));
  return {
    product: 'parley',
    format: formatNumber,
    version: productVersion(),
    created: new Date().toISOString(),
    database: { kind, postgres, migration },
    platform: `${process.platform}-${process.arch}`,
    files: config.store && !copyStore ? 'listed' : 'copied',
    has_secret_key: ringSource(config) === 'file' && (await isThere(join(config.dataDir, secretKeyName))),
    ...(wal && { wal }),
  };
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function refuseTaken(file: string): Promise<void> {
  if (await isThere(file)) throw new Complaint(`${file} is there already. Nothing was done.`, 2);
  if (!(await isThere(dirname(file)))) throw new Complaint(`There is no directory ${dirname(file)}.`, 2);
}

const filesText = (count: number, { files }: Description): string =>
  files === 'copied' ? `${thousands(count)} files` : `a list of ${thousands(count)} files in the store`;

const stampOf = (moment: Date): string => moment.toISOString().replaceAll(/[-:]|\.\d+/g, '');

function sentenceFor(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (/^(ENOSPC|EDQUOT|EFBIG|EACCES|EROFS|EIO)$/.test(code ?? '')) {
    return new Complaint(`The backup cannot be written to ${dirname(file)}: ${message}`);
  }
  return error;
}
