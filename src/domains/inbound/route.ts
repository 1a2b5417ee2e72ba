import { Type } from 'typebox';
import type { Deps, Task } from '../../deps.ts';
import { Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import { isAgentNumber } from '../agents/index.ts';
import { type Decision, decide, hasRouting } from '../routing/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce, type EventData } from '../webhooks/index.ts';
import { carryOut, type Passed } from './carry-out.ts';
import { isBusiness, lockWritten, type Written, type WrittenChannel, wasRouted } from './route-queries.ts';

interface Routing {
  accountId: string;
  channel: WrittenChannel;
  uuid: string;
}

const taskName = 'inbound.route';

/** Has messages sent on as the account's routing says, after the transaction that stored them. */
export async function routeLater(deps: Deps, accountId: string, channel: WrittenChannel, uuids: string[]) {
  if (uuids.length === 0 || !(await hasRouting(deps, accountId, channel))) return;
  const jobs = uuids.map((uuid): Routing => ({ accountId, channel, uuid }));
  await deps.queue.enqueue(deps.db, taskName, jobs);
}

export const tasks = [
  {
    name: taskName,
    batchSize: 10,
    async handler(deps, payloads) {
      const results = await Promise.allSettled(payloads.map((routing) => routeMessage(deps, routing)));
      // Those that worked out are known by their events when the batch comes again.
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  } satisfies Task<Routing>,
] as unknown as Task[];

/** Sends a message on, once: to the first destination that takes it. */
export const routeMessage = (deps: Deps, { accountId, channel, uuid }: Routing): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const written = await lockWritten(db, accountId, channel, uuid);
    if (!written || (await wasRouted(db, accountId, uuid))) return;
    const decision = await decide(deps, accountId, channel, {
      number: written.numberDigits,
      from: written.person,
      text: written.text,
      at: new Date(written.created),
    });
    if (!decision || (await isOwn(deps, accountId, channel, written, decision))) return;
    await carry(deps, accountId, channel, written, decision);
  });

/** What we or those whom messages are sent on to write is not sent on: nothing goes round in circles. */
async function isOwn(
  deps: Deps,
  accountId: string,
  channel: WrittenChannel,
  { personDigits }: Written,
  { fields }: Decision,
): Promise<boolean> {
  const { db } = deps;
  const read = await phoneReader(deps, accountId);
  const receivers = [
    ...fields.routes.map(({ destination }) => destination),
    ...(fields.fallback ? [fields.fallback] : []),
  ];
  return (
    receivers.some((one) => 'to' in one && one.to !== undefined && read(one.to) === personDigits) ||
    (await isBusiness(db, accountId, channel, personDigits)) ||
    (await isAgentNumber(db, accountId, personDigits))
  );
}

async function carry(
  deps: Deps,
  accountId: string,
  channel: WrittenChannel,
  written: Written,
  { config, fields, destinations }: Decision,
): Promise<void> {
  const problems: { route: string; problem: string }[] = [];
  for (const { route, destination } of destinations) {
    const name = route === null ? 'fallback' : (fields.routes[route]!.name ?? `route ${route + 1}`);
    const outcome = await carryOut(deps, accountId, channel, written, destination);
    if ('problem' in outcome) problems.push({ route: name, problem: outcome.problem });
    else {
      const data = { config, route: name, destination: destination.type, ...outcome.data, problems };
      return tell(deps, accountId, channel, written, data, outcome);
    }
  }
  if (problems.length === 0) return;
  await appendEvents(deps.db, [eventOf(accountId, channel, written, 'not_routed', { config, problems })]);
}

async function tell(
  deps: Deps,
  accountId: string,
  channel: WrittenChannel,
  written: Written,
  data: Record<string, unknown>,
  { callbackUrl }: Passed,
): Promise<void> {
  await appendEvents(deps.db, [eventOf(accountId, channel, written, 'routed', data)]);
  const { uuid, number, person: from, type, text, created } = written;
  await announce(deps.db, deps, [
    {
      accountId,
      type: channel === 'SMS' ? 'sms.routed' : 'chatapp.message.routed',
      data: { message: { uuid, number, from, type, text, created }, ...data },
      numberWebhooks: written.webhooks,
      ...(callbackUrl !== undefined && { callbackUrl }),
    },
  ]);
}

const eventOf = (
  accountId: string,
  channel: WrittenChannel,
  { uuid: subject }: Written,
  step: 'routed' | 'not_routed',
  data: Record<string, unknown>,
) => {
  const subjectType = channel === 'SMS' ? ('sms' as const) : ('message' as const);
  return { accountId, subjectType, subject, kind: `${subjectType}.${step}`, data };
};

const RoutedMessage = Type.Object(
  {
    message: Type.Object(
      {
        uuid: Uuid(),
        number: Type.String({ description: 'The number that was written to.' }),
        from: Type.String({ description: 'Who wrote.' }),
        type: Type.String({ description: 'Its `MessageType`; of an SMS `TEXT`.' }),
        text: Type.String({ description: 'Its text, caption or the title of the button; empty: it has none.' }),
        created: Timestamp(),
      },
      { title: 'RoutedContent' },
    ),
    config: Uuid('The routing config.'),
    route: Type.String({ description: 'The name of the route; `fallback`: none of them.' }),
    destination: Type.Enum(['WEBHOOK', 'CHATAPP', 'SMS', 'AGENT'], { description: 'The type of the destination.' }),
    to: Type.String({ description: 'The number or address it went to.' }),
    sent: Type.Optional(Uuid('The message or SMS that carried it; left out: it went to an address.')),
    problems: Type.Array(Type.Object({ route: Type.String(), problem: Type.String() }, { title: 'RouteProblem' }), {
      description: 'Routes that came first and could not be taken, and why.',
    }),
  },
  { title: 'RoutedMessage', description: 'Something that a person wrote, and where a routing config sent it.' },
);

export const inboundEvents = {
  'sms.routed': RoutedMessage,
  'chatapp.message.routed': RoutedMessage,
} satisfies EventData;
