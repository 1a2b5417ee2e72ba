import { type Static, type TSchema, Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { type CsvRow, csvText } from '../../../platform/csv/write.ts';
import { FileTooLarge } from '../../../platform/files/files.ts';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { onReplica } from '../../../platform/within.ts';
import { countStored, roomOf } from '../../accounts/index.ts';
import { campaignLogColumns, campaignLogRows, findCampaignLog } from '../../campaigns/index.ts';
import { ContactQuery, contactColumns, contactRows } from '../../contacts/index.ts';
import {
  csvColumns,
  csvRows,
  makeReport,
  noteReady,
  type Question,
  questionErrors,
  ReportQuery,
  spanErrors,
} from '../../reports/index.ts';
import { CallRecordQuery, cdrColumns, cdrRows } from '../../voice/index.ts';
import { resultFile } from '../files.ts';
import { JobFailure, type Kind } from '../kind.ts';
import type { Progress, Work } from '../running/work.ts';

/** A kind of job that makes a CSV file. It changes nothing, so one that was interrupted begins again. */
export interface ExportKind<S extends TSchema> extends Pick<Kind, 'type' | 'scope'> {
  Input: S;
  check?(deps: Deps, accountId: string, input: Static<S>): ReturnType<NonNullable<Kind['check']>>;
  columns: readonly string[];
  /** Those of an input, where they depend on it. */
  columnsOf?(input: Static<S>): readonly string[];
  /** Reading it also writes, which a copy of the database does not take. */
  writes?: boolean;
  /** In the transaction that puts the file in its place. */
  finished?(deps: Deps, accountId: string, job: string, rows: number): Promise<void>;
  /** The rows of the file, some at a time. */
  rows(deps: Deps, accountId: string, input: Static<S>): AsyncIterable<readonly CsvRow[]>;
}

const exportKind = <S extends TSchema>(kind: ExportKind<S>): Kind => ({
  ...(kind as unknown as Kind),
  totalOf: () => null,
  async run(work) {
    // The process died after the file was in its place.
    if (work.file_size !== null) return 'go';
    try {
      const reading = (kind.writes ? undefined : await onReplica(work.deps)) ?? work.deps;
      const input = work.input as Static<S>;
      const columns = kind.columnsOf?.(input) ?? kind.columns;
      return await writeFile(work, columns, kind.rows(reading, work.accountId, input), kind.finished);
    } catch (error) {
      if (error === stopped) return 'stop';
      throw error;
    }
  },
});

const stopped = new Error('The export is to end here.');
const reportMs = 1000;
const noRoom = 'The account has used up its file storage. Delete files, or ask the operator for more.';

async function writeFile(
  work: Work,
  columns: readonly string[],
  chunks: AsyncIterable<readonly CsvRow[]>,
  finished?: ExportKind<TSchema>['finished'],
) {
  const { deps, accountId, job, step } = work;
  let rows = 0;
  const progress = (more: Partial<Progress> = {}): Progress => ({ done: rows, counts: {}, results: [], ...more });
  const counted = async function* () {
    let reported = performance.now();
    for await (const chunk of chunks) {
      rows += chunk.length;
      if (performance.now() - reported >= reportMs) {
        if ((await step(async () => progress())) === 'stop') throw stopped;
        reported = performance.now();
      }
      yield chunk;
    }
  };
  const bytes = async function* () {
    for await (const text of csvText(columns, counted())) yield Buffer.from(text);
  };
  const room = await roomOf(deps, accountId);
  const file = await deps.files.put(resultFile(accountId, job), bytes(), room).catch((error) => {
    throw error instanceof FileTooLarge ? new JobFailure(noRoom) : error;
  });
  return step(async (deps) => {
    await countStored(deps.db, accountId, file.size);
    await finished?.(deps, accountId, job, rows);
    return progress({ counts: { rows }, fileSize: file.size });
  });
}

/** Writes the contacts that the filters of their list let through into a file. */
export const contactsExport = exportKind({
  type: 'contacts.export',
  scope: 'contacts:read',
  Input: Type.Partial(Type.Omit(ContactQuery, ['page_size', 'cursor', 'lists']), {
    title: 'ContactsExportInput',
    description: 'The filters of `GET /v2/contacts/`; none: all contacts.',
  }),
  columns: contactColumns,
  rows: ({ db }, accountId, filters) => contactRows(db, accountId, filters),
});

/** Writes the call detail records that the filters of their list let through into a file. */
export const cdrExport = exportKind({
  type: 'cdr.export',
  scope: 'calls:read',
  Input: Type.Partial(Type.Omit(CallRecordQuery, ['page_size', 'cursor']), {
    title: 'CdrExportInput',
    description: 'The filters of `GET /v2/cdr/`; none: all calls that are over.',
  }),
  columns: cdrColumns,
  rows: ({ db }, accountId, filters) => cdrRows(db, accountId, filters),
});

/** Writes what became of each recipient of a launch into a file. */
export const campaignLogsExport = exportKind({
  type: 'campaign_logs.export',
  scope: 'campaigns:read',
  Input: Type.Object({ campaign_log: Uuid('The launch.') }, { title: 'CampaignLogsExportInput' }),
  check: async ({ db }, accountId, { campaign_log }) =>
    (await findCampaignLog(db, accountId, campaign_log))
      ? undefined
      : { campaign_log: [`Invalid pk "${campaign_log}" - object does not exist.`] },
  columns: campaignLogColumns,
  rows: ({ db }, accountId, { campaign_log }) => campaignLogRows(db, accountId, campaign_log),
});

/** Days that nobody asked for before are counted first, for as long as that takes. */
const mostMs = 60 * 60_000;

const { metric, ...others } = ReportQuery.properties;

/** With what a request without them means; a file has room for more rows. */
const withDefaults = (input: object): Question =>
  ({ group_by: 'day', compare: 'none', limit: 1000, ...input }) as Question;

/** Writes a report into a file. */
export const reportsExport = exportKind({
  type: 'reports.export',
  scope: 'insight:read',
  Input: Type.Object(
    { metric, ...Type.Partial(Type.Object(others)).properties },
    { title: 'ReportsExportInput', description: 'The parameters of `GET /v2/reports/`.' },
  ),
  columns: [],
  columnsOf: (input) => csvColumns(withDefaults(input)),
  writes: true,
  async check(_deps, _accountId, input) {
    const question = withDefaults(input);
    return questionErrors(question) ?? spanErrors(question);
  },
  async *rows(deps, accountId, input) {
    yield csvRows(await makeReport(deps, accountId, withDefaults(input), { mostMs }));
  },
  finished: noteReady,
});
