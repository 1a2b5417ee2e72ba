import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { besideCalled, type Principal } from '../../../platform/http/route.ts';
import { newToken, tokenHash } from '../../../platform/secrets.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { takeRoleFor } from '../roles/change.ts';
import { scopesBeyond } from '../roles/rights.ts';
import { lockUser } from '../users/queries.ts';
import { deleteInvitation, deleteResetsOf, findInvitation, type InvitationRow, insertInvitation } from './queries.ts';
import type { InvitationCreate } from './schemas.ts';

interface Made {
  row: InvitationRow;
  link: string;
}

const usualDays = 7;
/** A reset is for somebody who waits for it. */
const resetDays = 1;

/** Makes a link that makes one user, with a role that the caller could give. */
export const invite = (
  { db, clock }: Deps,
  principal: Principal,
  { email = '', role: wanted = 'agent', expires_in_days = usualDays }: InvitationCreate,
  called: URL,
): Promise<Made> =>
  inTransaction(db, async (db) => {
    const { role } = await takeRoleFor(db, principal, wanted);
    const secret = newToken();
    const row = await insertInvitation(db, principal.accountId, {
      email,
      role,
      hash: tokenHash(secret),
      created_by: principal.actor?.name ?? '',
      expires: inDays(clock.now(), expires_in_days),
    });
    return { row, link: linkTo(called, secret) };
  });

/** Makes a link by which a user sets another password. With it one could be them, so only somebody who may do as much gets one. */
export const resetPassword = ({ db, clock }: Deps, principal: Principal, uuid: string, called: URL): Promise<Made> =>
  inTransaction(db, async (db) => {
    const user = await lockUser(db, principal.accountId, uuid);
    if (!user) throw notFound();
    if (scopesBeyond(principal, user.scopes).length > 0) throw new ApiError('permission_denied');
    await deleteResetsOf(db, principal.accountId, uuid);
    const secret = newToken();
    const row = await insertInvitation(db, principal.accountId, {
      user_uuid: uuid,
      hash: tokenHash(secret),
      created_by: principal.actor?.name ?? '',
      expires: inDays(clock.now(), resetDays),
    });
    return { row, link: linkTo(called, secret) };
  });

export async function revokeInvitation({ db }: Deps, { accountId }: Principal, uuid: string): Promise<void> {
  if (!(await findInvitation(db, accountId, uuid))) throw notFound();
  await deleteInvitation(db, accountId, uuid);
}

const inDays = (now: Date, days: number): string => timestamp(new Date(now.getTime() + days * 86_400_000));

const linkTo = (called: URL, secret: string): string => besideCalled(called, `/console/invitation/${secret}`);
