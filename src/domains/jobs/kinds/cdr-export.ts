import { Type } from 'typebox';
import { CallRecordQuery, cdrColumns, cdrRows } from '../../voice/index.ts';
import { exportKind } from '../files/export.ts';

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
