import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { Timestamp } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { listProcessesAnyAccount } from '../../../platform/process/register.ts';
import { refuseOthersThanOperator } from '../refuse-others.ts';

const ServerProcess = Type.Object(
  {
    host: Type.String({ description: 'The name of its machine.' }),
    pid: Type.Integer(),
    version: Type.String(),
    roles: Type.Array(Type.String()),
    started: Timestamp('When it began to serve.'),
  },
  { title: 'ServerProcess' },
);

export const processRoutes = [
  route({
    method: 'GET',
    url: '/v2/network-status/',
    operationId: 'getNetworkStatus',
    summary: 'List the processes that serve this installation',
    description: "The operator's account only, with the scope `operator`: every process that is alive, on every host.",
    tag: 'Network status',
    scope: 'operator',
    errors: [403],
    responses: { 200: Type.Object({ processes: Type.Array(ServerProcess) }, { title: 'NetworkStatus' }) },
    handler: async ({ deps, accountId }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok({ processes: await listProcessesAnyAccount(deps.db) });
    },
  }),
];
