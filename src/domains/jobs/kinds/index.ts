import type { Kind } from '../kind.ts';
import { accountsDelete } from './accounts-delete.ts';
import { campaignLogsExport } from './campaign-logs-export.ts';
import { cdrExport } from './cdr-export.ts';
import { chatIntrosUpsert } from './chat-intros-upsert.ts';
import { contactsExport } from './contacts-export.ts';
import { contactsImport } from './contacts-import.ts';
import { messagesSend } from './messages-send.ts';
import { numbersCreate } from './numbers-create.ts';
import { numbersUpdate } from './numbers-update.ts';
import { optOutsImport } from './opt-outs-import.ts';
import { peopleErase } from './people-erase.ts';
import { reportsExport } from './reports-export.ts';
import { smsSend } from './sms-send.ts';

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
