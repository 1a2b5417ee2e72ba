import type { Deps } from '../../../deps.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { phoneReader } from '../../accounts/index.ts';
import { findChatappAccount } from '../../chatapp-accounts/index.ts';
import { findOpenWindows } from '../../messages/index.ts';
import { findIntro, type IntroRow } from '../queries.ts';
import { isNotified } from './chain.ts';
import { findSession, lockOpen, type SessionRow } from './queries.ts';
import type { ChatIntroStart } from './schemas.ts';
import { snapshotOf } from './snapshot.ts';
import { startSessions } from './start.ts';

/**
 * Introduces a person who has not written: everything goes as if they had, but for the reply, which only somebody who wrote
 * within a day may get. Whoever has an open session with the intro keeps it; `isNew` tells.
 */
export const startByCall = (
  deps: Deps,
  accountId: string,
  uuid: string,
  { aparty_number: number, aparty_name: name = '', variables: given = {} }: ChatIntroStart,
): Promise<{ session: SessionRow; isNew: boolean }> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const intro = await findIntro(db, accountId, uuid);
    if (!intro) throw notFound();
    const digits = (await phoneReader(deps, accountId))(number);
    if (digits === intro.chatapp_digits) {
      throw new ValidationError({ aparty_number: ['This is the number of the business itself.'] });
    }
    const at = await clockOf(deps, accountId, intro);
    const person = { accountId, chatappAccount: intro.chatapp_account, digits, now: at };
    const isWindowOpen = (await findOpenWindows(db, [person])).size > 0;
    if (!isWindowOpen && !hasTemplate(intro)) throw new ApiError('window_closed');
    const told = { ...(name !== '' && { APartyDataContactName: name }), APartyDataContactPhonenumber: number };
    const [started] = await startSessions(deps, accountId, [
      {
        intro,
        number,
        digits,
        name,
        how: 'API',
        tied: false,
        message: null,
        variables: { answers: {}, given, told },
        isWindowOpen,
        at,
      },
    ]);
    const [session] = started ? [started] : await lockOpen(db, accountId, [{ chatIntro: uuid, digits }]);
    return { session: (await findSession(db, accountId, session!.uuid))!, isNew: started !== undefined };
  });

async function clockOf({ db, carriers }: Deps, accountId: string, intro: IntroRow): Promise<Date> {
  const sender = await findChatappAccount(db, accountId, intro.chatapp_account);
  if (!sender) throw new ValidationError({ non_field_errors: ['The chat-app account of the intro was deleted.'] });
  return carriers.get(sender.carrier).clock(accountId).now();
}

const hasTemplate = (intro: IntroRow): boolean =>
  isNotified(snapshotOf(intro)) || intro.aparty_notify_data.chatapp_template_name !== '';
