import type { TSchema } from 'typebox';
import { notFound } from '../../../platform/errors.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, ok, routeFor } from '../../../platform/http/route.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { SandboxDeps } from '../carrier.ts';
import { readNow } from '../clock.ts';
import { readHeldMs } from '../hands/holds.ts';
import { notOnSandbox, partiesOf } from '../schemas.ts';
import { findLeg, insertCall, listLegs } from './queries.ts';
import { LegQuery, PersonCallCreate, presentLeg, SandboxLeg, SandboxLegPage } from './schemas.ts';
import { callsTopic, usualHangUpSeconds } from './voice.ts';

const route = routeFor<SandboxDeps & { inbox: Inbox }>();
const tag = 'Sandbox';
const url = '/v2/sandbox/calls/';

/** `Call` is how the API shows those. */
export const callRoutes = (Call: TSchema) => [
  route({
    method: 'POST',
    url,
    operationId: 'callAsPerson',
    summary: 'Call a number as the person at the other end',
    tag,
    scope: 'sandbox:write',
    body: PersonCallCreate,
    responses: { 201: Call },
    example: { from: '+447700900123', to: '+442079460000', digits: '12#', hangup_after_seconds: 30 },
    handler: async ({ deps: { db, inbox, listener, clock }, accountId, principal, body }) => {
      const { digits = '', hangup_after_seconds: seconds } = body;
      const { from, to } = partiesOf(body, principal);
      const received = await inbox.receiveCall(accountId, 'sandbox', { from, to });
      if (!received) throw notOnSandbox();
      const call = received as { uuid: string; status: string };
      // One that was refused at once has no leg.
      if (call.status === 'ENDED') return created(call);
      const isOpen = seconds === undefined && (await readHeldMs(db, accountId, from)) > 0;
      const hangUpAfterMs = isOpen ? null : Math.round((seconds ?? usualHangUpSeconds) * 1000);
      const at = await readNow(db, accountId, clock);
      await insertCall(db, { accountId, uuid: call.uuid, from, to, digits, hangUpAfterMs, at });
      listener.signal(callsTopic, '');
      return created(call);
    },
  }),
  route({
    method: 'GET',
    url,
    operationId: 'listSandboxCalls',
    summary: 'List the legs of sandbox calls: what each person hears',
    tag,
    scope: 'sandbox:read',
    query: LegQuery,
    responses: { 200: SandboxLegPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listLegs(deps.db, accountId, query), url(), presentLeg)),
  }),
  route({
    method: 'GET',
    url: `${url}:uuid/`,
    operationId: 'getSandboxCall',
    summary: 'Get a leg of a sandbox call',
    tag,
    scope: 'sandbox:read',
    params: UuidParams,
    responses: { 200: SandboxLeg },
    handler: async ({ deps, accountId, params }) => {
      const leg = await findLeg(deps.db, accountId, params.uuid);
      if (!leg) throw notFound();
      return ok(presentLeg(leg));
    },
  }),
];
