import { notify } from '../../../platform/db/connect/listener.ts';
import { UuidParams } from '../../../platform/http/openapi/models.ts';
import { noContent, ok, routeFor } from '../../../platform/http/route.ts';
import type { SandboxDeps } from '../carrier.ts';
import {
  HeldPhone,
  HoldParams,
  KeysPress,
  PhoneHold,
  presentLeg,
  SandboxLeg,
  usualHoldSeconds,
} from '../voice/schemas.ts';
import { act } from './act.ts';
import { holdPhone, holdsTopic, releasePhone } from './holds.ts';

const route = routeFor<SandboxDeps>();
const tag = 'Sandbox';
const hold = '/v2/sandbox/phones/:number/hold/';
const one = '/v2/sandbox/calls/:uuid/';

const actRoute = (kind: 'answer' | 'decline' | 'hangup', operationId: string, summary: string) =>
  route({
    method: 'POST',
    url: `${one}${kind}/`,
    operationId,
    summary,
    description: 'Returns the leg after the action; 409 says why the action is not possible.',
    tag,
    scope: 'sandbox:write',
    params: UuidParams,
    responses: { 200: SandboxLeg },
    errors: [409],
    handler: async ({ deps, accountId, params }) =>
      ok(presentLeg(await act(deps, accountId, params.uuid, { act: kind }))),
  });

/** A phone in a person's hand. */
export const handRoutes = [
  route({
    method: 'POST',
    url: hold,
    operationId: 'holdSandboxPhone',
    summary: 'Hold a phone, to answer its calls by hand',
    description:
      'Calls to it ring until they are answered or declined by hand, or the caller gives up, instead of following the table of ' +
      'behaviours. Hold it again to extend the time.',
    tag,
    scope: 'sandbox:write',
    params: HoldParams,
    body: PhoneHold,
    responses: { 200: HeldPhone },
    example: { seconds: 60 },
    handler: async ({ deps: { db }, accountId, params: { number }, body: { seconds = usualHoldSeconds } }) => {
      const held_until = await holdPhone(db, accountId, number, seconds);
      await notify(db, holdsTopic);
      return ok({ number, held_until });
    },
  }),
  route({
    method: 'DELETE',
    url: hold,
    operationId: 'releaseSandboxPhone',
    summary: 'Release a phone that you hold',
    tag,
    scope: 'sandbox:write',
    params: HoldParams,
    responses: { 204: null },
    handler: async ({ deps: { db }, accountId, params: { number } }) => {
      await releasePhone(db, accountId, number);
      await notify(db, holdsTopic);
      return noContent();
    },
  }),
  actRoute('answer', 'answerSandboxCall', 'Answer a phone that rings'),
  actRoute('decline', 'declineSandboxCall', 'Decline a call to a phone that rings'),
  actRoute('hangup', 'hangUpSandboxCall', 'Hang up as the person at the other end'),
  route({
    method: 'POST',
    url: `${one}keys/`,
    operationId: 'pressSandboxKeys',
    summary: 'Press keys during a call',
    tag,
    scope: 'sandbox:write',
    params: UuidParams,
    body: KeysPress,
    responses: { 200: SandboxLeg },
    errors: [409],
    example: { keys: '12#' },
    handler: async ({ deps, accountId, params, body: { keys } }) =>
      ok(presentLeg(await act(deps, accountId, params.uuid, { act: 'keys', keys }))),
  }),
];
