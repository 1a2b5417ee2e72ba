import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvText } from '../../csv/write.ts';
import type { Log } from '../../log.ts';

/** A list as a file, for whoever asks with `Accept: text/csv`: every row that the filters let through, not a page of them. */
export interface CsvForm<C> {
  /** The file's name, without its ending. */
  name: string;
  columns: readonly string[];
  /** The columns for a call, if they depend on what is asked. */
  columnsOf?(call: C): readonly string[];
  /** The rows as the list presents them, some at a time. They are asked for no faster than the caller takes them. */
  rows(call: C): AsyncIterable<readonly Record<string, unknown>[]>;
}

/** The headers of an answer that is a CSV file. */
export const csvHeaders = (name: string): Record<string, string> => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}.csv"`,
});

/**
 * The file as a stream, which ends the reading of rows when the caller goes away. The first rows are read before anything
 * is sent, so that an error is still answered as one; a later one breaks the connection, because a file that merely
 * ended would be taken for whole.
 */
export async function csvAnswer<C>(
  { name, columns, columnsOf, rows }: CsvForm<C>,
  call: C,
  { request, reply, log }: { request: FastifyRequest; reply: FastifyReply; log: Log },
): Promise<Readable> {
  const text = csvText(columnsOf?.(call) ?? columns, rows(call));
  const first = await text.next();
  reply.headers(csvHeaders(name));
  // HEAD would have the server read the whole stream, only to throw it away.
  if (request.method === 'HEAD') return Readable.from([]);
  const stream = Readable.from(startingWith(first, text));
  stream.on('error', (err) => log.error({ err, requestId: request.id }, `The export of ${name} broke off`));
  return stream;
}

async function* startingWith(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (!first.done) yield first.value;
  yield* rest;
}

/** Whether a caller would rather have CSV: it has to be named, and not come after JSON (RFC 9110, 12.5.1). */
export function prefersCsv(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes('text/csv')) return false;
  const weights = new Map(accept.toLowerCase().split(',').map(readRange));
  const csv = weights.get('text/csv') ?? 0;
  return csv > 0 && csv > (weights.get('application/json') ?? 0);
}

/** `text/csv;q=0.5` → its type and weight. */
function readRange(range: string): [string, number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
