import type { Static, TSchema } from 'typebox';
import type { Deps } from '../../deps.ts';
import { FileTooLarge, makeFiles } from '../../platform/files.ts';
import { countStored, roomOf } from '../accounts/index.ts';
import { resultFile } from './files.ts';
import { JobFailure, type Kind } from './kind.ts';
import type { Progress, Work } from './work.ts';

/** A kind of job that makes a CSV file. It changes nothing, so one that was interrupted begins again. */
export interface ExportKind<S extends TSchema> extends Pick<Kind, 'type' | 'scope'> {
  Input: S;
  check?(deps: Deps, accountId: string, input: Static<S>): ReturnType<NonNullable<Kind['check']>>;
  /** The text of the file, the header first. */
  chunks(deps: Deps, accountId: string, input: Static<S>): AsyncIterable<string>;
}

export const exportKind = <S extends TSchema>(kind: ExportKind<S>): Kind => ({
  ...(kind as unknown as Kind),
  totalOf: () => null,
  async run(work) {
    // The process died after the file was in its place.
    if (work.file_size !== null) return 'go';
    try {
      return await writeFile(work, kind.chunks(work.deps, work.accountId, work.input as Static<S>));
    } catch (error) {
      if (error === stopped) return 'stop';
      throw error;
    }
  },
});

const stopped = new Error('The export is to end here.');
const reportMs = 1000;
const noRoom = "The account's room for files is used up. Delete some, or ask the operator for more.";

async function writeFile(work: Work, chunks: AsyncIterable<string>) {
  const { deps, accountId, job, step } = work;
  const files = makeFiles(deps.config.dataDir);
  const countRows = rowCounter();
  let rows = 0;
  const progress = (more: Partial<Progress> = {}): Progress => ({ done: rows, counts: {}, results: [], ...more });
  const bytes = async function* () {
    let reported = performance.now();
    for await (const text of chunks) {
      rows = countRows(text);
      if (performance.now() - reported >= reportMs) {
        if ((await step(async () => progress())) === 'stop') throw stopped;
        reported = performance.now();
      }
      yield Buffer.from(text);
    }
  };
  const room = await roomOf(deps, accountId);
  const file = await files.receive(bytes(), room).catch((error) => {
    throw error instanceof FileTooLarge ? new JobFailure(noRoom) : error;
  });
  await files.adopt(file.path, resultFile(accountId, job));
  return step(async ({ db }) => {
    await countStored(db, accountId, file.size);
    return progress({ counts: { rows }, fileSize: file.size });
  });
}

/** Counts the rows of a CSV text that comes in pieces: a line break within quotes ends none. The header is not counted. */
export function rowCounter(): (text: string) => number {
  let lines = 0;
  let isQuoted = false;
  return (text) => {
    for (let place = 0; place < text.length; place++) {
      const code = text.charCodeAt(place);
      if (code === 0x22) isQuoted = !isQuoted;
      else if (code === 0x0a && !isQuoted) lines++;
    }
    return Math.max(0, lines - 1);
  };
}
