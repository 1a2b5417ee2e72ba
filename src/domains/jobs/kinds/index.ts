import type { Kind } from '../kind.ts';
import { accountsDelete } from './accounts-delete.ts';
import { chatIntrosUpsert } from './chat-intros-upsert.ts';
import { campaignLogsExport, cdrExport, contactsExport, reportsExport } from './exports.ts';
import { contactsImport, optOutsImport } from './imports.ts';
import { numbersCreate, numbersUpdate } from './numbers.ts';
import { peopleErase } from './people-erase.ts';
import { messagesSend, smsSend } from './sends.ts';

/** All types of jobs. */
export const kinds: Kind[] = [
  numbersCreate,
  numbersUpdate,
  messagesSend,
  smsSend,
  contactsImport,
  contactsExport,
  cdrExport,
  campaignLogsExport,
  reportsExport,
  optOutsImport,
  chatIntrosUpsert,
  accountsDelete,
  peopleErase,
];

const byType = new Map(kinds.map((kind) => [kind.type, kind]));
export const kindOf = (type: string): Kind | undefined => byType.get(type);
