import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ValidationError } from '../../errors.ts';
import { type Files, FileTooLarge } from '../../files/files.ts';

/** A file as a handler gets it: whole, on disk, and gone when the handler is through unless it moved it elsewhere. */
export interface Upload {
  path: string;
  filename: string;
  /** As claimed by the caller. */
  mimeType: string;
  size: number;
  /** In hex. */
  sha256: string;
}

export interface Form {
  upload: Upload;
  /** The other parts of the form. One that came as a file where a text belongs is an object. */
  fields: Record<string, unknown>;
}

/** What a form may have beside its file. */
const mostParts = 64;
const longestField = 64 * 1024;
const besidesFile = 1024 * 1024;
const longestFilename = 240;

/**
 * Reads a multipart form (RFC 7578) whose part `file` is written to disk as it comes. However it fails, nothing is left on
 * disk, and the connection is not cut under an answer: what still comes is read and dropped.
 */
async function receiveForm(
  request: Readable & { headers: IncomingHttpHeaders },
  files: Files,
  mostBytes: number,
): Promise<Form> {
  if (request.headers['content-type'] === undefined) throw new ValidationError({ file: [noFile] });
  const tooLarge = new ApiError('payload_too_large', { detail: `The file is larger than ${inWords(mostBytes)}.` });
  if (Number(request.headers['content-length'] ?? 0) > mostBytes + besidesFile) throw tooLarge;
  const form = formParser(request.headers);
  const fields = new Map<string, unknown>();
  let arriving: Promise<Upload> | undefined;

  const takePart = async (name: string, part: BusboyFileStream, filename: string | undefined, mimeType: string) => {
    if (name === 'file' && filename !== undefined) {
      if (arriving) throw new ValidationError({ file: ['Submit one file only.'] });
      const claimed = { filename: tidyFilename(filename), mimeType };
      arriving = files.receive(part, mostBytes).then((file) => ({ ...file, ...claimed }));
      return void (await arriving);
    }
    fields.set(name, filename === undefined ? await readText(name, part) : await drop(part));
  };

  try {
    await feed(request, form, mostBytes + besidesFile, takePart);
    if (fields.has('file')) throw new ValidationError({ file: [notAFile] });
    const upload = await arriving;
    if (!upload) throw new ValidationError({ file: [noFile] });
    if (upload.size === 0) throw new ValidationError({ file: ['The submitted file is empty.'] });
    return { upload, fields: Object.fromEntries(fields) };
  } catch (error) {
    await arriving?.then(({ path }) => rm(path, { force: true })).catch(() => {});
    throw error instanceof FileTooLarge ? tooLarge : error;
  }
}

const noFile = 'No file was submitted.';
const notAFile = 'The submitted data was not a file. Check the encoding type on the form.';

type Parser = InstanceType<typeof Busboy>;
type TakePart = (name: string, part: BusboyFileStream, filename: string | undefined, mime: string) => Promise<void>;

function formParser(headers: IncomingHttpHeaders): Parser {
  try {
    return new Busboy({
      headers: { 'content-type': '', ...headers },
      // Texts come as bytes too: what is not UTF-8 is refused, not mended.
      isPartAFile: () => true,
      limits: { parts: mostParts, headerPairs: 32, headerSize: 16 * 1024 },
    });
  } catch {
    throw malformed('it has no boundary');
  }
}

/** Pipes the request through the parser, and its parts to `takePart`; settles when both are done. */
async function feed(request: Readable, form: Parser, mostBytes: number, takePart: TakePart): Promise<void> {
  const parts: BusboyFileStream[] = [];
  const taken: Promise<unknown>[] = [];
  let received = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (name: string | undefined, part, filename, _encoding, mimeType) => {
        // Whoever reads the part gets its errors; those of a part that nobody reads must not end the process.
        part.on('error', () => {});
        const taking = name === undefined ? drop(part) : takePart(name, part, filename, mimeType);
        taking.catch(reject);
        taken.push(taking);
        parts.push(part);
      });
      form.on('partsLimit', () => reject(malformed(`it has more than ${mostParts} parts`)));
      form.on('error', () => reject(malformed('it ends too early')));
      form.on('finish', resolve);
      request.on('error', () => reject(malformed('it broke off')));
      request.on('close', () => request.readableEnded || reject(malformed('it broke off')));
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > mostBytes) reject(new FileTooLarge());
      });
      request.pipe(form);
    });
    await Promise.all(taken);
  } catch (error) {
    request.unpipe(form);
    request.resume();
    // Parts that the parser still finds in its buffer are not taken any more.
    form.removeAllListeners('file');
    for (const part of parts) part.destroy(error as Error);
    await Promise.allSettled(taken);
    throw error;
  }
}

async function readText(name: string, part: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of part as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestField) {
      throw new ApiError('payload_too_large', {
        detail: `A field of the form is larger than ${inWords(longestField)}.`,
      });
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new ValidationError({ [name.toWellFormed()]: ['Not a valid string.'] });
  }
}

/**
 * Reads and drops a file where none is expected, and puts an object in its place: unknown fields are then named and ignored, known
 * ones refused.
 */
async function drop(part: Readable): Promise<object> {
  for await (const _ of part);
  return {};
}

/** A name to show and to store: no paths, no control characters. */
function tidyFilename(filename: string): string {
  const tidy = filename
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, '')
    .trim();
  if (tidy.length > longestFilename) {
    const sentence = `Ensure this filename has at most ${longestFilename} characters (it has ${tidy.length}).`;
    throw new ValidationError({ file: [sentence] });
  }
  return tidy || 'file';
}

const malformed = (why: string) => new ApiError('parse_error', { detail: `Multipart form parse error - ${why}.` });

export const inWords = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;

declare module 'fastify' {
  interface FastifyRequest {
    upload?: Upload;
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Receives the form of a request before its handler runs, and clears away what the handler left. */
export const withUpload =
  (files: Files, mostBytes: number, handle: Handle): Handle =>
  async (request, reply) => {
    const { upload, fields } = await receiveForm(request.raw, files, mostBytes);
    request.upload = upload;
    request.body = fields;
    // The content that an Idempotency-Key is compared by: the file and the fields, not the boundary between them.
    request.rawBody = Buffer.from(JSON.stringify([upload.sha256, Object.entries(fields).sort()]));
    try {
      return await handle(request, reply);
    } finally {
      await rm(upload.path, { force: true });
    }
  };

/** Operations that take a form and nothing else. Its body is left alone until the gate has let the request in. */
export function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
  app.addHook('onResponse', (request, _reply, done) => {
    cutOffLater(request.raw);
    done();
  });
}

/** How long a caller may go on sending what nobody reads any more. */
const lingerMs = 10_000;

/**
 * After an answer that came before the whole request: the rest is dropped, so that the caller gets to read the answer instead
 * of a broken connection, but not for ever.
 */
function cutOffLater(request: IncomingMessage): void {
  if (request.complete !== false) return;
  const timer = setTimeout(() => request.destroy(), lingerMs).unref();
  request.once('close', () => clearTimeout(timer));
}
