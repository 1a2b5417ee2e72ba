import type { IncomingHttpHeaders } from 'node:http';
import type { Deps } from '../../deps.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { fileAnswer } from '../../platform/http/files/file-answer.ts';
import { attachment } from '../../platform/http/header-values.ts';
import type { Answer } from '../../platform/http/route.ts';
import { findOfMessage } from './inbound.ts';
import { findTemplateMedia, type MediaRow } from './queries.ts';

const retrySeconds = 5;

export async function serveTemplateMedia(
  deps: Deps,
  accountId: string,
  uuid: string,
  asked: IncomingHttpHeaders,
): Promise<Answer> {
  return serveFile(deps, await findTemplateMedia(deps.db, accountId, uuid), asked);
}

/** The file that came with a message: there soon after the message, or never. */
export async function serveInbound(
  deps: Deps,
  accountId: string,
  message: string,
  asked: IncomingHttpHeaders,
): Promise<Answer> {
  const row = await findOfMessage(deps.db, accountId, message);
  if (row?.problem) throw new ApiError('not_found', { detail: `The file is not here: ${row.problem}` });
  if (row?.path === null) {
    throw new ApiError('unavailable', {
      detail: 'The file is still being fetched.',
      headers: { 'retry-after': String(retrySeconds) },
    });
  }
  return serveFile(deps, row, asked);
}

async function serveFile({ files }: Deps, row: MediaRow | undefined, asked: IncomingHttpHeaders): Promise<Answer> {
  if (!row?.path) throw notFound();
  return fileAnswer(files, row.path, {
    asked,
    headers: {
      'content-type': safeType(row.mime_type),
      'content-disposition': attachment(row.filename),
      // A file of a stranger's is never to be taken for a page of ours.
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}

/** Types of inbound files are what somebody else wrote. */
const safeType = (mimeType: string): string =>
  /^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.,+-]+)*$/.test(mimeType) ? mimeType : 'application/octet-stream';
