/** Why a file cannot be imported at all, in one sentence. */
export { CsvError as ImportError } from '../../platform/csv/read.ts';
export {
  type Audience,
  type AudienceBatch,
  type AudienceMember,
  audienceBatch,
  countAudience,
  isMeeting,
} from './audience.ts';
export { eraseContact } from './change.ts';
export { type ContactFilters, columns as contactColumns, contactRows } from './export.ts';
export { refusalColumn } from './import/columns.ts';
export { type ImportOptions, type ImportProgress, type ImportTotals, importContacts } from './import/import.ts';
export { findLists, purgeMembershipsAnyAccount } from './lists/queries.ts';
export { routes as contactRoutes } from './routes.ts';
export { ContactQuery, ContactWrite } from './schemas.ts';
export { Segment, segmentErrors } from './segment.ts';
