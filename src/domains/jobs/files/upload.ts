import { open } from 'node:fs/promises';
import type { Deps } from '../../../deps.ts';
import { CsvError } from '../../../platform/csv/read.ts';
import { ValidationError } from '../../../platform/errors.ts';
import type { Upload } from '../../../platform/http/files/upload.ts';
import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/within.ts';
import { refuseWithoutRoom, takeRoom, withinRoom } from '../../accounts/index.ts';
import type { Kind } from '../kind.ts';
import type { JobRow } from '../queries.ts';
import { acceptJob } from '../submit.ts';
import { uploadFile } from './files.ts';

/** The largest file that is taken; it goes to the disk as it comes. */
export const mostBytes = 1024 * 1024 * 1024;
const headBytes = 256 * 1024;

/** Makes a job of an uploaded file, which is in its place before the job is seen by anybody. */
export async function acceptUpload(
  deps: Deps,
  accountId: string,
  kind: Kind,
  { upload, input }: { upload: Upload; input: object },
): Promise<JobRow> {
  await checkHead(deps, accountId, kind, { upload, input });
  await refuseWithoutRoom(deps, accountId, upload.size);
  const uuid = newId();
  const place = uploadFile(accountId, uuid);
  await deps.files.adopt(upload.path, place);
  const job = { uuid, type: kind.type, input, callback_url: null, from_file: true, total: null };
  const store = async (deps: Deps): Promise<JobRow> => {
    await takeRoom(deps, accountId, upload.size);
    return acceptJob(deps, accountId, job);
  };
  return withinRoom(deps, [place], () => within(deps, store));
}

/** A header that will not do is said at once. The beginning of the file is enough for that, however large the file is. */
async function checkHead(
  deps: Deps,
  accountId: string,
  kind: Kind,
  { upload, input }: { upload: Upload; input: object },
): Promise<void> {
  const head = await readHead(upload.path);
  const file = async function* () {
    yield head;
  };
  try {
    await kind.checkFile!(deps, accountId, file, input);
  } catch (error) {
    throw error instanceof CsvError ? new ValidationError({ file: [error.message] }) : error;
  }
}

/** Whole lines, if there is any: half a character at the end would make another encoding of it. */
async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes);
    const end = bytesRead < headBytes ? bytesRead : buffer.lastIndexOf('\n') + 1;
    return buffer.subarray(0, end || bytesRead);
  } finally {
    await file.close();
  }
}
