import { type Deps, route } from '../../deps.ts';
import { UuidParams } from '../../platform/http/openapi/models.ts';
import type { Principal } from '../../platform/http/route.ts';
import { newId } from '../../platform/ids.ts';
import { readPhone } from '../../platform/phone.ts';
import { within } from '../../platform/within.ts';
import { refuseOthersThanOperator, setStanding } from '../accounts/index.ts';
import { PersonParams } from '../people/index.ts';
import { accountsDelete } from './kinds/accounts-delete.ts';
import { peopleErase } from './kinds/people-erase.ts';
import { findOpenWith, type JobRow } from './queries.ts';
import { JobCreated } from './schemas.ts';
import { accepted, acceptJob } from './submit.ts';

/** From here on the account can do nothing any more. Asked for again while it goes on, it is the same job. */
const deleteAccount = (deps: Deps, operatorId: string, account: string): Promise<JobRow> =>
  within(deps, async (deps) => {
    await setStanding(deps, account, 'DELETING');
    const { type } = accountsDelete;
    const underWay = await findOpenWith(deps.db, operatorId, type, { name: 'account', value: account });
    const job = { uuid: newId(), type, input: { account }, callback_url: null, from_file: false, total: null };
    return underWay ?? acceptJob(deps, operatorId, job);
  });

/** Asked for again while it goes on, it is the same job. */
const erasePerson = (deps: Deps, { accountId, actor }: Principal, digits: string): Promise<JobRow> =>
  within(deps, async (deps) => {
    const { type } = peopleErase;
    const underWay = await findOpenWith(deps.db, accountId, type, { name: 'digits', value: digits });
    const input = { digits, actor };
    const job = { uuid: newId(), type, input, callback_url: null, from_file: false, total: peopleErase.totalOf(input) };
    return underWay ?? acceptJob(deps, accountId, job);
  });

export const erasureRoutes = [
  route({
    method: 'DELETE',
    url: '/v2/people/:number/',
    operationId: 'erasePerson',
    summary: 'Erase one person',
    description:
      'Starts a job, which cannot be undone. It deletes messages, SMS, calls and recordings, sessions, leads and the contact. Counters ' +
      'stay, opt-outs remain effective under a hash, and a receipt without the number is kept.',
    tag: 'People',
    scope: 'people:write',
    auditPath: '/v2/people/…/',
    params: PersonParams,
    responses: { 202: JobCreated },
    handler: async ({ deps, principal, params, url }) =>
      accepted(await erasePerson(deps, principal, readPhone(params.number, principal.country)), url()),
  }),
  route({
    method: 'DELETE',
    url: '/v2/accounts/:uuid/',
    operationId: 'deleteTenant',
    summary: 'Delete an account with all its data',
    description:
      "The operator's account only, with the scope `operator`. Starts a job, which cannot be undone. From now on the account " +
      'sends nothing, and its tokens get 403. Its numbers return to the pool.',
    tag: 'Tenants',
    scope: 'operator',
    params: UuidParams,
    responses: { 202: JobCreated },
    errors: [403, 409],
    handler: async ({ deps, accountId, params, url }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return accepted(await deleteAccount(deps, accountId, params.uuid), url());
    },
  }),
];
