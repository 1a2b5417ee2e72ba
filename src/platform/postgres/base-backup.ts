/**
 * A copy of a running PostgreSQL by its replication protocol, as `pg_basebackup` makes it: the server sends its data files as a
 * tar, then the write-ahead log from the first to the last moment of copying. A server that starts on both replays that log,
 * and is at the last moment, whatever was written meanwhile.
 */
import { PassThrough, type Readable } from 'node:stream';
import pg from 'pg';
import type { PostgresConnection } from './guard.ts';

export interface BaseBackup {
  /** The data directory as a tar. */
  tar: Readable;
  /** The log positions of its first and last moment, when the tar has been read. */
  span(): { start: string; end: string };
  /** Ends the session; what is under way is broken off. */
  close(): Promise<void>;
}

const bufferedBytes = 1024 * 1024;
const command = "BASE_BACKUP (LABEL 'parley', CHECKPOINT 'fast', WAL true, MANIFEST 'no')";

/** Begins a backup. Only its superuser, or a role with REPLICATION, may do so. */
export async function startBaseBackup(connection: PostgresConnection): Promise<BaseBackup> {
  const client = new pg.Client({
    ...connection,
    ssl: false,
    application_name: 'parley backup',
    replication: 'true',
    connectionTimeoutMillis: 10_000,
  } as pg.ClientConfig);
  client.on('error', () => {});
  await client.connect();
  try {
    // While the slot is there no checkpoint removes log that the backup needs. It goes with the session.
    await client.query(`CREATE_REPLICATION_SLOT parley_backup_${process.pid} TEMPORARY PHYSICAL RESERVE_WAL`);
    const query = new BaseBackupQuery();
    client.query(query);
    return { tar: query.tar, span: () => query.span(), close: () => client.end() };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

interface Wire {
  query(text: string): void;
  stream: { pause(): unknown; resume(): unknown };
}

/** The answer is three results, the tar between the second and the third; the driver hands each message on as it comes. */
class BaseBackupQuery implements pg.Submittable {
  readonly tar = new PassThrough({ highWaterMark: bufferedBytes });
  readonly #positions: string[] = [];
  #results = 0;
  #hasFailed = false;
  #isPaused = false;

  submit(wire: pg.Connection): void {
    (wire as unknown as Wire).query(command);
  }

  span(): { start: string; end: string } {
    const [start = '', end = ''] = this.#positions;
    return { start, end };
  }

  handleRowDescription(): void {
    this.#results++;
  }

  /** The first result is where the log begins, the second lists table spaces, the third is where the log ends. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#results !== 2) this.#positions.push(String(fields[0]));
  }

  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    // 'd': bytes of the archive; others name the archive and tell how far it is.
    if (chunk[0] !== 0x64 || this.tar.destroyed) return;
    // The driver uses its buffer again.
    if (this.tar.write(Buffer.from(chunk.subarray(1))) || this.#isPaused) return;
    // What the driver has read already still comes.
    this.#isPaused = true;
    wire.stream.pause();
    this.tar.once('drain', () => {
      this.#isPaused = false;
      wire.stream.resume();
    });
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.tar.destroy(error);
  }

  handleReadyForQuery(): void {
    if (!this.#hasFailed) this.tar.end();
  }
}
