import { Type } from 'typebox';
import { ContactQuery, contactColumns, contactRows } from '../../contacts/index.ts';
import { exportKind } from '../files/export.ts';

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
