import { Type } from 'typebox';
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
import { exportKind } from '../files/export.ts';

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
