import { type TSchema, Type } from 'typebox';
import { notify } from '../../platform/db/listener.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { PageOf, Phone, presentPage, Timestamp, Uuid } from '../../platform/http/models.ts';
import { created, ok, routeFor } from '../../platform/http/route.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import type { Inbox } from '../port.ts';
import { insertCall, type LegRow, listLegs } from './calls-queries.ts';
import type { SandboxDeps } from './carrier.ts';
import { callsTopic } from './voice.ts';

const route = routeFor<SandboxDeps & { inbox: Inbox }>();
const tag = 'Sandbox';
const url = '/v2/sandbox/calls/';
const usualHangUpSeconds = 60;

const PersonCallCreate = Type.Object(
  {
    from: Phone('The person who calls.'),
    to: Phone('The number that is called.'),
    digits: Type.Optional(
      Type.String({
        pattern: '^[0-9*#,]*$',
        maxLength: 100,
        'x-message': 'Enter digits, *, # and commas only.',
        description:
          'What the person presses when asked. A comma ends what they press at one time: `,12#` lets the first time pass.',
      }),
    ),
    hangup_after_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        description: `When the person hangs up at the latest; ${usualHangUpSeconds}.`,
      }),
    ),
  },
  { title: 'SandboxPersonCall' },
);

const SandboxLeg = Type.Object(
  {
    uuid: Uuid('Of a call that the person made: the call, as in `/v2/voice/calls/`.'),
    direction: Type.Enum(['INBOUND', 'OUTBOUND'], {
      description: 'INBOUND: the person called. OUTBOUND: their phone rang.',
    }),
    phone: Type.String({ description: 'The person.' }),
    other: Type.String({ description: 'The number that they called, or that their phone showed.' }),
    outcome: Type.String(),
    hung_up_by: Type.Enum(['peer', 'us', 'network'], { description: '`peer`: the person.' }),
    heard: Type.Array(
      Type.Object({
        sound: Type.String({ description: '`ringing`, `talk`, or the file that was played.' }),
        seconds: Type.Number(),
      }),
      { description: 'In its order.' },
    ),
    pressed: Type.String(),
    started: Timestamp("By the time of this account's sandbox, as the next two."),
    answered: nullable(Timestamp()),
    ended: Timestamp(),
    created: Timestamp(),
  },
  { title: 'SandboxLeg', description: "One person's side of a call." },
);
const SandboxLegPage = PageOf(SandboxLeg, 'SandboxLegPage');

const presentLeg = (row: LegRow) => ({
  uuid: row.uuid,
  direction: row.direction,
  phone: row.phone,
  other: row.other,
  outcome: row.outcome,
  hung_up_by: row.hung_up_by,
  heard: row.heard,
  pressed: row.pressed,
  started: row.started_at,
  answered: row.answered_at,
  ended: row.ended_at,
  created: row.created,
});

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
    handler: async ({ deps: { db, inbox, listener }, accountId, body }) => {
      const { from, to, digits = '', hangup_after_seconds = usualHangUpSeconds } = body;
      const call = (await inbox.receiveCall(accountId, 'sandbox', { from, to })) as { uuid: string; status: string };
      // One that was refused at once has no leg.
      if (call.status === 'ENDED') return created(call);
      const hangUpAfterMs = Math.round(hangup_after_seconds * 1000);
      await insertCall(db, { accountId, uuid: call.uuid, from, to, digits, hangUpAfterMs });
      if (db.isTransaction) await notify(db, callsTopic);
      else listener.signal(callsTopic, '');
      return created(call);
    },
  }),
  route({
    method: 'GET',
    url,
    operationId: 'listSandboxCalls',
    summary: 'What people heard on their phones, each side of a call by itself',
    tag,
    scope: 'sandbox:read',
    query: Type.Object({ ...pageQuery, number: Type.Optional(Phone('The person.')) }),
    responses: { 200: SandboxLegPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listLegs(deps.db, accountId, query), url(), presentLeg)),
  }),
];
