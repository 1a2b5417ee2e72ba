import { type TSchema, Type } from 'typebox';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { ApiError, notFound, ValidationError } from '../../platform/errors.ts';
import { presentPage } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok, routeFor } from '../../platform/http/route.ts';
import { newId } from '../../platform/ids.ts';
import type { Inbox } from '../ports/inbox.ts';
import type { SandboxDeps } from './carrier.ts';
import { findKeptFlow } from './chat/management.ts';
import { compose, write } from './chat/write.ts';
import { moveClock, readClock, readNow, resetClock, secondsLeft } from './clock.ts';
import { deleteFaults, listFaults, setFault } from './faults.ts';
import { handRoutes } from './hands/routes.ts';
import { showPhone } from './phone/page.ts';
import {
  ClockMove,
  FaultCreate,
  FlowParams,
  notOnSandbox,
  PersonMessage,
  PersonSms,
  PhonePage,
  PhoneParams,
  partiesOf,
  presentFault,
  SandboxClock,
  SandboxFault,
  SandboxFaultPage,
  SandboxFlow,
} from './schemas.ts';
import { smsFrom, writeSms } from './sms/report.ts';
import { callRoutes } from './voice/routes.ts';

/** Who keeps something for a moment by an account's time; a carrier does not know them by itself. */
interface ClockUses {
  clockMoves(db: Db, accountId: string): Promise<void>;
}

const route = routeFor<SandboxDeps & { inbox: Inbox; uses: ClockUses }>();
const tag = 'Sandbox';

/** `Message`, `Sms` and `Call` are how the API shows those; a carrier does not know that by itself. */
export const routes = (Message: TSchema, Sms: TSchema, Call: TSchema) => [
  route({
    method: 'POST',
    url: '/v2/sandbox/chatapp/messages/',
    operationId: 'writeAsPerson',
    summary: 'Write to a chat-app account as the person at the other end',
    tag,
    scope: 'sandbox:write',
    body: PersonMessage,
    responses: { 201: Message },
    example: { from: '+447700900123', to: '+447700900001', name: 'Ana', text: { body: 'Hello' } },
    handler: async ({ deps, accountId, principal, body }) => {
      const { name = '' } = body;
      const { from, to } = partiesOf(body, principal);
      const written = await compose(deps.db, accountId, { ...body, from, to });
      const at = await readNow(deps.db, accountId, deps.clock);
      const [message] = await write(deps, accountId, [{ id: newId(), from, to, name, at, written }]);
      if (!message) throw notOnSandbox();
      return created(message);
    },
  }),
  route({
    method: 'POST',
    url: '/v2/sandbox/sms/',
    operationId: 'writeSmsAsPerson',
    summary: 'Write an SMS to a number as the person at the other end',
    tag,
    scope: 'sandbox:write',
    body: PersonSms,
    responses: { 201: Sms },
    example: { from: '+447700900123', to: '+447700900001', text: 'Hello' },
    handler: async ({ deps, accountId, principal, body }) => {
      const { text } = body;
      const { from, to } = partiesOf(body, principal);
      const at = await readNow(deps.db, accountId, deps.clock);
      const [sms] = await writeSms(deps, accountId, [smsFrom({ id: newId(), from, to, text, at })]);
      if (!sms) throw notOnSandbox();
      return created(sms);
    },
  }),
  ...callRoutes(Call),
  ...handRoutes,
  route({
    method: 'GET',
    url: '/v2/sandbox/clock/',
    operationId: 'getSandboxClock',
    summary: 'Get the time and speed of the sandbox clock',
    tag,
    scope: 'sandbox:read',
    responses: { 200: SandboxClock },
    handler: async ({ deps, accountId }) => ok(await readClock(deps.db, accountId)),
  }),
  route({
    method: 'POST',
    url: '/v2/sandbox/clock/',
    operationId: 'moveSandboxClock',
    summary: 'Move the sandbox clock, change its speed, or set it back to real time',
    tag,
    scope: 'sandbox:write',
    body: ClockMove,
    responses: { 200: SandboxClock },
    example: { advance_seconds: 86_400 },
    handler: async ({ deps, accountId, body }) => {
      const { advance_seconds: advanceSeconds, speed, reset } = body;
      if (reset) {
        if (advanceSeconds !== undefined || speed !== undefined)
          throw new ValidationError({ reset: ['Give it by itself.'] });
        const now = await resetClock(deps.db, accountId);
        if (!now) throw new ApiError('sandbox_call_under_way');
        return ok(now);
      }
      if (advanceSeconds === undefined && speed === undefined) {
        throw new ValidationError({ non_field_errors: ['Give advance_seconds or speed.'] });
      }
      const moved = await inTransaction(deps.db, async (db) => {
        const reading = await moveClock(db, accountId, { advanceSeconds, speed });
        if (reading) await deps.uses.clockMoves(db, accountId);
        return reading;
      });
      if (moved) return ok(moved);
      const left = await secondsLeft(deps.db, accountId, deps.clock);
      throw new ValidationError({
        advance_seconds: [`The clock can be ten years ahead of the real time: ${left} seconds more are possible.`],
      });
    },
  }),
  route({
    method: 'GET',
    url: '/v2/sandbox/phones/:number/',
    operationId: 'getSandboxPhone',
    summary: 'Get what a sandbox phone shows, oldest first',
    tag,
    scope: 'sandbox:read',
    params: PhoneParams,
    query: Type.Object({ ...pageQuery, ordering: Type.Enum(['created', '-created'], { default: 'created' }) }),
    responses: { 200: PhonePage },
    handler: async ({ deps, accountId, params, query, url }) =>
      ok(presentPage(await showPhone(deps.db, accountId, params.number, query), url(), (message) => message)),
  }),
  route({
    method: 'GET',
    url: '/v2/sandbox/flows/:flow_id/',
    operationId: 'getSandboxFlow',
    summary: 'Get a flow as a sandbox phone shows it',
    tag,
    scope: 'sandbox:read',
    params: FlowParams,
    responses: { 200: SandboxFlow },
    handler: async ({ deps, accountId, params: { flow_id } }) => {
      const flow = await findKeptFlow(deps.db, accountId, flow_id);
      if (!flow) throw notFound();
      return ok({ flow_id, name: flow.name, definition: flow.definition });
    },
  }),
  route({
    method: 'POST',
    url: '/v2/sandbox/faults/',
    operationId: 'setSandboxFault',
    summary: 'Set a fault for the next messages or calls',
    description: 'Faults happen in the order in which they were set, each to `count` messages or calls.',
    tag,
    scope: 'sandbox:write',
    body: FaultCreate,
    responses: { 201: SandboxFault },
    example: { carrier: 'sandbox', kind: 'retry', count: 2 },
    handler: async ({ deps, accountId, body: { kind, count = 1 } }) =>
      created(presentFault(await setFault(deps, accountId, { kind, count }))),
  }),
  route({
    method: 'GET',
    url: '/v2/sandbox/faults/',
    operationId: 'listSandboxFaults',
    summary: 'List the faults that have not happened yet',
    tag,
    scope: 'sandbox:read',
    query: Type.Object({ ...pageQuery, ordering: Type.Enum(['created', '-created'], { default: 'created' }) }),
    responses: { 200: SandboxFaultPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listFaults(deps.db, accountId, query), url(), presentFault)),
  }),
  route({
    method: 'DELETE',
    url: '/v2/sandbox/faults/',
    operationId: 'clearSandboxFaults',
    summary: 'Clear the faults',
    tag,
    scope: 'sandbox:write',
    responses: { 204: null },
    handler: async ({ deps, accountId }) => {
      await deleteFaults(deps.db, accountId);
      return noContent();
    },
  }),
];
