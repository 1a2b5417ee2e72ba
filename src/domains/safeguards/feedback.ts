import { type Static, Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { Uuid } from '../../platform/http/openapi/models.ts';
import { within } from '../../platform/within.ts';
import { appendEvents, eventsOf } from '../timeline/index.ts';
import { policiesOf, safeguardCache } from './policy.ts';
import { noteFeedbackGiven } from './range-queries.ts';
import { noteUsed } from './ranges.ts';

export const FeedbackCreate = Type.Object(
  { outcome: Type.Enum(['CONFIRMED'], { title: 'FeedbackOutcome', description: 'CONFIRMED: the person used it.' }) },
  { title: 'FeedbackCreate' },
);
export const Feedback = Type.Object({ uuid: Uuid(), ...FeedbackCreate.properties }, { title: 'Feedback' });
type Feedback = Static<typeof Feedback>;

/** Something that was sent, and to whom. */
export interface Confirmed {
  channel: 'CHATAPP' | 'SMS';
  uuid: string;
  digits: string;
  sentAt: Date;
}

/** Notes that somebody used what they were sent; however often that is reported, it counts once. */
export const giveFeedback = (deps: Deps, accountId: string, confirmed: Confirmed): Promise<Feedback> =>
  within(deps, async (inside) => {
    const { db, caches, clock } = inside;
    const now = clock.now();
    const { channel, uuid } = confirmed;
    let policy = (await policiesOf(inside, [accountId])).get(accountId);
    if (!policy?.givesFeedback) {
      await noteFeedbackGiven(db, accountId, now);
      caches.forget(safeguardCache);
      policy = (await policiesOf(inside, [accountId])).get(accountId);
    }
    await noteUsed(inside, policy, { accountId, ...confirmed }, now);
    const subjectType = channel === 'SMS' ? 'sms' : 'message';
    const kind = `${subjectType}.confirmed`;
    const known = await eventsOf(db, accountId, uuid).where('kind', '=', kind).limit(1).execute();
    if (known.length === 0) await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind }]);
    return { uuid, outcome: 'CONFIRMED' };
  });
