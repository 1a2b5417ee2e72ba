import { type Deps, route } from '../../deps.ts';
import { UuidParams } from '../../platform/http/openapi/models.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { refuseOthersThanOperator, setStanding } from '../accounts/index.ts';
import { accepted } from './accepted.ts';
import { accountsDelete } from './kinds/accounts-delete.ts';
import { findOpenWith, type JobRow } from './queries.ts';
import { JobCreated } from './schemas.ts';
import { acceptJob } from './submit.ts';

/** From here on the account can do nothing any more. Asked for again while it goes on, it is the same job. */
const deleteAccount = (deps: Deps, operatorId: string, account: string): Promise<JobRow> =>
  within(deps, async (deps) => {
    await setStanding(deps, account, 'DELETING');
    const { type } = accountsDelete;
    const underWay = await findOpenWith(deps.db, operatorId, type, { name: 'account', value: account });
    const job = { uuid: newId(), type, input: { account }, callback_url: null, from_file: false, total: null };
    return underWay ?? acceptJob(deps, operatorId, job);
  });

export const erasureRoutes = [
  route({
    method: 'DELETE',
    url: '/v2/accounts/:uuid/',
    operationId: 'deleteTenant',
    summary: 'Delete an account with all that it has',
    description:
      "The operator's account only, with the scope `operator`. It becomes a job, which cannot be undone: from now on nothing of the " +
      'account leaves, and its tokens get 403. Its numbers go back to the pool.',
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
