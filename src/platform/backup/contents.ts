/**
 * What is in a backup: a tar, compressed by zstd, laid out like DATA_DIR, so that `tar --zstd -xf` alone makes a data directory
 * of it. It begins with a description and ends with the checksums of everything before them.
 */
export const formatNumber = 1;

export const descriptionName = 'parley-backup.json';
export const checksumsName = 'parley-checksums.txt';
/** Of a database that is the operator's own: what `pg_dump` wrote. */
export const dumpName = 'database.dump';
/** Of files that are in a store and were not copied: a line of JSON for each. */
export const storeListName = 'parley-store-files.jsonl';
export const pgdataName = 'postgres/pgdata';
export const passwordName = 'postgres/postgres-password';
export const secretKeyName = 'secret-key';

export interface Description {
  product: 'parley';
  format: number;
  /** Of Parley. */
  version: string;
  created: string;
  /** embedded: the files of PostgreSQL; dump: what pg_dump wrote. */
  database: { kind: 'embedded' | 'dump'; postgres: number; migration: number };
  /** Files of PostgreSQL are read where they were written only. */
  platform: string;
  /** copied: in the backup; listed: they are in a store, and the backup has their names and sizes. */
  files: 'copied' | 'listed';
  /** false: SECRET_KEY is set in the environment, and kept by the operator. */
  has_secret_key: boolean;
  /** Where the server kept its WAL: the folder in WAL_ARCHIVE, and the first segment that the backup may need. */
  wal?: { folder: string; from: string };
}

/** Why a file is not a backup, or not one that can be used here: a sentence. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const segment = '[A-Za-z0-9._-]+';
const safeName = new RegExp(`^${segment}(/${segment})*$`);

/** Whether a name leads to a place below the directory that a backup is unpacked in. */
export const isSafeName = (name: string): boolean =>
  safeName.test(name) && !name.split('/').some((part) => /^\.+$/.test(part));
