import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { ApiError, notFound, ValidationError } from '../../../platform/errors.ts';
import { withOffset } from '../../../platform/http/validation/index.ts';
import { newToken, tokenHash } from '../../../platform/secrets.ts';
import { systemMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import type { Standing } from '../standing.ts';
import { insertToken, type TokenRow } from '../tokens/queries.ts';
import {
  findTenantAnyAccount,
  insertTenant,
  lockTenantAnyAccount,
  setStandingAnyAccount,
  type TenantRow,
  updateTenantAnyAccount,
} from './queries.ts';
import type { TenantCreate, TenantPatch, TenantTokenCreate } from './schemas.ts';

export async function findTenant(db: Db, uuid: string): Promise<TenantRow> {
  const row = await findTenantAnyAccount(db, uuid);
  if (!row) throw notFound();
  return row;
}

export const createTenant = async (db: Db, fields: TenantCreate): Promise<TenantRow> =>
  findTenant(db, await insertTenant(db, fields));

export const changeTenant = (deps: Deps, uuid: string, patch: TenantPatch): Promise<TenantRow> =>
  within(deps, async (deps) => {
    await takeTenant(deps.db, uuid);
    await updateTenantAnyAccount(deps.db, uuid, patch);
    // Limits and the country are remembered with tokens.
    deps.caches.forget();
    return findTenant(deps.db, uuid);
  });

/** Suspends an account, lets it act again, or says that it is being deleted. Every process knows within a moment. */
export const setStanding = (deps: Deps, uuid: string, status: Standing): Promise<TenantRow> =>
  within(deps, async (deps) => {
    const tenant = await lockTenantAnyAccount(deps.db, uuid);
    if (!tenant) throw notFound();
    if (tenant.operator && status !== 'ACTIVE') throw new ApiError('operator_account');
    if (tenant.status === 'DELETING' && status !== 'DELETING') throw new ApiError('account_deleting');
    if (tenant.status !== status) await setStandingAnyAccount(deps.db, uuid, status);
    deps.caches.forget();
    return findTenant(deps.db, uuid);
  });

/** A token of another account, for whoever begins there. It has no maker in that account, and ends when somebody revokes it. */
export const createTenantToken = (
  deps: Deps,
  uuid: string,
  { name = 'First token', scopes = ['read', 'write'], expires: wanted = null }: TenantTokenCreate,
): Promise<{ row: TokenRow; token: string }> =>
  within(deps, async ({ db }) => {
    if (scopes.includes('operator')) {
      throw new ValidationError({
        scopes: ['Only a token with the scope operator can create another one with it.'],
      });
    }
    const expires = wanted === null ? null : withOffset(wanted);
    if (expires && Date.parse(expires) <= systemMs()) {
      throw new ValidationError({ expires: ['Ensure this moment is in the future.'] });
    }
    await takeTenant(db, uuid);
    const token = newToken();
    return { row: await insertToken(db, uuid, { name, hash: tokenHash(token), scopes, expires }), token };
  });

/** An account that is not being deleted, locked until the transaction ends. */
async function takeTenant(db: Db, uuid: string): Promise<void> {
  const tenant = await lockTenantAnyAccount(db, uuid);
  if (!tenant) throw notFound();
  if (tenant.status === 'DELETING') throw new ApiError('account_deleting');
}
