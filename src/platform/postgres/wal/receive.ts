/**
 * The write-ahead log of a running PostgreSQL by its replication protocol, as `pg_receivewal` takes it: the server sends every byte as it
 * is written, and keeps what was not confirmed.
 */
import type pg from 'pg';
import { type SegmentWriter, writePosition } from './segments.ts';

interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  stream: { pause(): unknown; resume(): unknown };
}

interface Options {
  slot: string;
  from: bigint;
  timeline: number;
  writer: SegmentWriter;
}

/** The disk is waited for this often; the server waits for nobody. */
const syncEveryMs = 1_000;
/** The server takes a receiver that says nothing for a minute for dead. */
const reportEveryMs = 10_000;
const mostWaitingBytes = 8 * 1024 * 1024;
const headerBytes = 25;
/** Clocks of the protocol begin in the year 2000. */
const epochMs = Date.UTC(2000, 0, 1);

/** Receives until the server ends the session; throws what went wrong with it or with the disk. */
export async function receiveWal(client: pg.Client, options: Options): Promise<void> {
  const stream = new WalStream(options);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  client.query(stream);
  const timer = setInterval(() => stream.tick(), syncEveryMs);
  try {
    await Promise.race([stream.failed, ended]);
  } finally {
    clearInterval(timer);
    await stream.settle();
  }
}

class WalStream implements pg.Submittable {
  readonly #options: Options;
  readonly failed: Promise<never>;
  #fail: (error: Error) => void = () => {};
  #wire: Wire | undefined;
  /** What is done with the files, one thing after the other. */
  #work: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #isPaused = false;
  #written: bigint;
  #synced: bigint;
  #reportedMs = 0;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
    this.#written = options.from;
    this.#synced = options.from;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
  }

  submit(wire: pg.Connection): void {
    const { slot, from, timeline } = this.#options;
    this.#wire = wire as unknown as Wire;
    this.#wire.query(`START_REPLICATION SLOT ${slot} PHYSICAL ${writePosition(from)} TIMELINE ${timeline}`);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#isOver) return;
    // 'w': bytes of the log behind their position; 'k': the server is alive, and may want to hear how far we are.
    if (chunk[0] === 0x77) this.#take(chunk.readBigUInt64BE(1), Buffer.from(chunk.subarray(headerBytes)));
    else if (chunk[0] === 0x6b && chunk[17] === 1) this.#then(() => this.#report());
  }

  #take(position: bigint, bytes: Buffer): void {
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > mostWaitingBytes && !this.#isPaused) {
      this.#isPaused = true;
      this.#wire?.stream.pause();
    }
    this.#then(async () => {
      await this.#options.writer.write(position, bytes);
      this.#written = position + BigInt(bytes.length);
      this.#waitingBytes -= bytes.length;
      if (!this.#isPaused || this.#waitingBytes > 0) return;
      this.#isPaused = false;
      this.#wire?.stream.resume();
    });
  }

  /** Once a second. */
  tick(): void {
    if (this.#written !== this.#synced || performance.now() - this.#reportedMs > reportEveryMs)
      this.#then(() => this.#report());
  }

  /** Confirms what is on the disk: the server may forget it then. */
  async #report(): Promise<void> {
    if (this.#written !== this.#synced) this.#synced = await this.#options.writer.sync();
    this.#reportedMs = performance.now();
    const report = Buffer.alloc(34);
    report.write('r');
    report.writeBigUInt64BE(this.#written, 1);
    report.writeBigUInt64BE(this.#synced, 9);
    report.writeBigInt64BE(BigInt(Date.now() - epochMs) * 1000n, 25);
    this.#wire?.sendCopyFromChunk(report);
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(() => (this.#isOver ? undefined : step())).catch((error: Error) => this.#end(error));
  }

  #end(error: Error): void {
    this.#isOver = true;
    this.#fail(error);
  }

  /** Waits for what has come so far to be written. */
  async settle(): Promise<void> {
    await this.#work;
    this.#isOver = true;
  }

  handleError(error: Error): void {
    this.#fail(error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {}
}
