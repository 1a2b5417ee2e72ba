import type { Duplex } from 'node:stream';
import pg from 'pg';

/** What the driver has for a query, beside what its types tell. */
export interface DriverQuery {
  name: string;
  values: readonly unknown[] | undefined;
  callback(error: Error | null, result: unknown): void;
  hasBeenParsed(connection: DriverConnection): boolean;
  prepare(connection: DriverConnection): void;
}

interface DriverConnection {
  stream: Duplex;
}

export const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[] | undefined,
) => DriverQuery;

/**
 * A named statement. Once the connection has parsed it, all that runs it is one buffer, written at once; the driver makes four
 * messages, the first in a buffer of 256 bytes that grows by halves. For thirty template messages that takes 10 µs instead of 20.
 */
export class PreparedQuery extends DriverQuery {
  constructor(name: string, text: string, values: readonly unknown[] | undefined) {
    super(text, values);
    this.name = name;
  }

  override prepare(connection: DriverConnection): void {
    const run = this.hasBeenParsed(connection) && runMessages(this.name, this.values ?? []);
    if (run) connection.stream.write(run);
    else super.prepare(connection);
  }
}

const code = { bind: 0x42, describe: 0x44, execute: 0x45, sync: 0x53, portal: 0x50 };
const formats = { text: 0, binary: 1 };
/** Of Describe, Execute and Sync, and of what Bind has beside its values. */
const fixedBytes = 7 + 10 + 5 + 32;

/**
 * Bind, Describe, Execute and Sync (PostgreSQL, "Message Formats"), with the unnamed portal and results as text. undefined: there is a value
 * that only the driver can write.
 */
export function runMessages(statement: string, values: readonly unknown[]): Buffer | undefined {
  let most = fixedBytes + statement.length * 3 + values.length * 2;
  for (const value of values) {
    const bytes = mostBytesOf(value);
    if (bytes === undefined) return undefined;
    most += 4 + bytes;
  }
  const buffer = Buffer.allocUnsafe(most);
  buffer[0] = code.bind;
  let at = 6;
  buffer[5] = 0;
  at += buffer.write(statement, at);
  buffer[at++] = 0;
  at = buffer.writeInt16BE(values.length, at);
  for (const value of values) at = buffer.writeInt16BE(Buffer.isBuffer(value) ? formats.binary : formats.text, at);
  at = buffer.writeInt16BE(values.length, at);
  for (const value of values) at = writeValue(buffer, value, at);
  // One format for all results.
  at = buffer.writeInt16BE(1, at);
  at = buffer.writeInt16BE(formats.text, at);
  buffer.writeInt32BE(at - 1, 1);
  at = begin(buffer, code.describe, 6, at);
  buffer[at++] = code.portal;
  buffer[at++] = 0;
  at = begin(buffer, code.execute, 9, at);
  buffer[at++] = 0;
  at = buffer.writeInt32BE(0, at);
  at = begin(buffer, code.sync, 4, at);
  return buffer.subarray(0, at);
}

function begin(buffer: Buffer, message: number, length: number, at: number): number {
  buffer[at] = message;
  return buffer.writeInt32BE(length, at + 1);
}

function mostBytesOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'boolean') return 32;
  return Buffer.isBuffer(value) ? value.length : undefined;
}

function writeValue(buffer: Buffer, value: unknown, at: number): number {
  if (value === null || value === undefined) return buffer.writeInt32BE(-1, at);
  const from = at + 4;
  const bytes = Buffer.isBuffer(value) ? value.copy(buffer, from) : buffer.write(String(value), from);
  buffer.writeInt32BE(bytes, at);
  return from + bytes;
}
