import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { notFound } from '../../platform/errors.ts';
import { appendEvents } from '../timeline/index.ts';
import { markDeleted } from './queries.ts';

/** Takes an intro out of use. It stays in the database: its links answer that they are gone, its logs can be read. */
export const deleteIntro = (db: Db, accountId: string, uuid: string): Promise<void> =>
  inTransaction(db, async (db) => {
    if (!(await markDeleted(db, accountId, uuid))) throw notFound();
    await appendEvents(db, [{ accountId, subjectType: 'chat_intro', subject: uuid, kind: 'chat_intro.deleted' }]);
  });
