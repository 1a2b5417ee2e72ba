import { Type } from 'typebox';
import { pageQuery } from '../../../platform/db/page.ts';
import { PageOf, Phone, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import type { LegRow } from './queries.ts';
import { usualHangUpSeconds } from './voice.ts';

export const usualHoldSeconds = 60;

export const PersonCallCreate = Type.Object(
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
        description: `When the person hangs up at the latest; ${usualHangUpSeconds}, and from a phone that is held: when they want to.`,
      }),
    ),
  },
  { title: 'SandboxPersonCall' },
);

const State = Type.Enum(['RINGING', 'TALKING', 'ENDED'], {
  description: 'RINGING: not answered yet, whoever is called. TALKING: answered.',
});

export const LegQuery = Type.Object({
  ...pageQuery,
  number: Type.Optional(Phone('The person.')),
  state: Type.Optional(State),
});

export const SandboxLeg = Type.Object(
  {
    uuid: Uuid('Of a call that the person made: the call, as in `/v2/voice/calls/`.'),
    state: State,
    direction: Type.Enum(['INBOUND', 'OUTBOUND'], {
      description: 'INBOUND: the person called. OUTBOUND: their phone rang.',
    }),
    phone: Type.String({ description: 'The person.' }),
    other: Type.String({ description: 'The number that they called, or that their phone showed.' }),
    outcome: Type.String({ description: 'Empty while it is not over.' }),
    hung_up_by: nullable(Type.Enum(['peer', 'us', 'network'], { description: '`peer`: the person.' })),
    heard: Type.Array(
      Type.Object({
        sound: Type.String({ description: '`ringing`, `talk`, or the file that was played.' }),
        seconds: Type.Number(),
      }),
      { description: 'In its order.' },
    ),
    hearing: nullable(
      Type.Object(
        { sound: Type.String(), since: Timestamp() },
        { description: 'What is heard at this moment; it is among `heard` when it has ended.' },
      ),
    ),
    pressed: Type.String({ description: 'The keys, in their order.' }),
    started: Timestamp("By the time of this account's sandbox, as the next two."),
    answered: nullable(Timestamp()),
    ended: nullable(Timestamp()),
    created: Timestamp(),
  },
  { title: 'SandboxLeg', description: "One person's side of a call." },
);
export const SandboxLegPage = PageOf(SandboxLeg, 'SandboxLegPage');

export const presentLeg = (row: LegRow) => ({
  uuid: row.uuid,
  state: row.state,
  direction: row.direction,
  phone: row.phone,
  other: row.other,
  outcome: row.outcome,
  hung_up_by: row.hung_up_by,
  heard: row.heard,
  hearing: row.hearing,
  pressed: row.pressed,
  started: row.started_at,
  answered: row.answered_at,
  ended: row.ended_at,
  created: row.created,
});

export const KeysPress = Type.Object(
  {
    keys: Type.String({
      pattern: '^[0-9*#]+$',
      maxLength: 100,
      'x-message': 'Enter digits, * and # only.',
      description: 'One or more, in the order in which they are pressed.',
    }),
  },
  { title: 'SandboxKeysPress' },
);

export const HoldParams = Type.Object({ number: Phone() });

export const PhoneHold = Type.Object(
  {
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 600, description: `How long from now; ${usualHoldSeconds}.` }),
    ),
  },
  { title: 'SandboxPhoneHold' },
);

export const HeldPhone = Type.Object(
  { number: Type.String(), held_until: Timestamp('In real time, whatever the clock of the sandbox says.') },
  { title: 'SandboxHeldPhone' },
);
