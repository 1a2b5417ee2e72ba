import type { Deps } from '../../deps.ts';
import { type FieldErrors, notFound, ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import { findAgents } from '../agents/index.ts';
import { lockAudioFiles } from '../audio/index.ts';
import { findLists } from '../contacts/index.ts';
import { callbackUrlErrors } from '../webhooks/index.ts';
import { routingCache } from './decide.ts';
import {
  type ConfigRow,
  deleteConfig,
  findConfig,
  insertConfig,
  lockConfigs,
  setAudioFiles,
  setNumbers,
  updateConfig,
} from './queries.ts';
import {
  type Channel,
  type ConfigFields,
  fieldsOf,
  type Route,
  type RouteConditions,
  type RouteDestination,
  type RoutingConfigCreate,
  type RoutingConfigPatch,
  withDefaults,
} from './schemas.ts';

export async function createConfig(deps: Deps, accountId: string, request: RoutingConfigCreate): Promise<ConfigRow> {
  const fields = withDefaults(request);
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    await lockConfigs(db, accountId);
    const audioFiles = await checkConfig(deps, accountId, fields);
    const uuid = await insertConfig(db, accountId, fields);
    await setAudioFiles(db, accountId, uuid, audioFiles);
    await decideFor(deps, accountId, uuid, fields);
    return (await findConfig(db, accountId, uuid))!;
  });
  deps.caches.forget(routingCache);
  return row;
}

export async function changeConfig(
  deps: Deps,
  accountId: string,
  uuid: string,
  change: RoutingConfigPatch,
): Promise<ConfigRow> {
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    await lockConfigs(db, accountId);
    const before = await findConfig(db, accountId, uuid);
    if (!before) throw notFound();
    const fields = { ...fieldsOf(before), ...change };
    const audioFiles = await checkConfig(deps, accountId, fields);
    await updateConfig(db, accountId, uuid, fields);
    await setAudioFiles(db, accountId, uuid, audioFiles);
    await decideFor(deps, accountId, uuid, fields);
    return (await findConfig(db, accountId, uuid))!;
  });
  deps.caches.forget(routingCache);
  return row;
}

/** After a change that is under way, which would find it gone half-way. */
export async function removeConfig(deps: Deps, accountId: string, uuid: string): Promise<void> {
  await within(deps, async ({ db }) => {
    await lockConfigs(db, accountId);
    if (!(await deleteConfig(db, accountId, uuid))) throw notFound();
  });
  deps.caches.forget(routingCache);
}

/** Lets a config decide for its numbers. Of two configs for one number nobody could say which one decides. */
async function decideFor(deps: Deps, accountId: string, uuid: string, fields: ConfigFields): Promise<void> {
  const { numbers } = fields;
  const read = await phoneReader(deps, accountId);
  const taken = await setNumbers(deps.db, accountId, uuid, { ...fields, digits: numbers.map(read) });
  if (taken.size === 0) return;
  const sentences = numbers
    .filter((number) => taken.has(read(number)))
    .map((number) => `Another enabled routing config decides for "${number}".`);
  throw new ValidationError({
    numbers: sentences.length > 0 ? sentences : ['Another enabled routing config of this channel is for all numbers.'],
  });
}

const forMessages = ['AGENT', 'CHATAPP', 'SMS', 'WEBHOOK'] as const;
/** Which destinations make sense on which channel. */
const destinationsOf: Record<Channel, readonly RouteDestination['type'][]> = {
  VOICE: ['NUMBER', 'AGENT', 'SIP', 'VOICEMAIL', 'AUDIO', 'HANGUP'],
  SMS: forMessages,
  CHATAPP: forMessages,
};

interface Known {
  agents: ReadonlySet<string>;
  lists: ReadonlySet<string>;
  /** Their uuids, by what they are given as. */
  audioFiles: ReadonlyMap<string, string>;
}

/**
 * What the schema cannot say of a config: throws with the fields that are wrong. Answers the audio files that it plays, which
 * stay until the end of the transaction.
 */
export async function checkConfig(deps: Deps, accountId: string, fields: ConfigFields): Promise<string[]> {
  const known = await findKnown(deps, accountId, fields);
  const errors: FieldErrors = {};
  const routes = fields.routes.map((route) => routeErrors(deps, fields.channel, route, known));
  if (routes.some(hasAny)) errors['routes'] = routes;
  const fallback = fields.fallback ? destinationErrors(deps, fields.channel, fields.fallback, known) : {};
  if (hasAny(fallback)) errors['fallback'] = fallback;
  if (hasAny(errors)) throw new ValidationError(errors);
  return [...new Set(known.audioFiles.values())];
}

const hasAny = (errors: FieldErrors): boolean => Object.keys(errors).length > 0;

async function findKnown({ db }: Deps, accountId: string, { routes, fallback }: ConfigFields): Promise<Known> {
  const destinations = [...routes.map(({ destination }) => destination), ...(fallback ? [fallback] : [])];
  const agents = [
    ...destinations.flatMap((destination) => agentIn(destination) ?? []),
    ...routes.flatMap(({ conditions }) => conditions?.agent_available?.agent ?? []),
  ];
  const lists = routes.flatMap(({ conditions }) => conditions?.caller_lists ?? []);
  const audioFiles = destinations.flatMap((to) => (to.type === 'AUDIO' ? [to.audio_file] : []));
  return {
    agents: new Set((await findAgents(db, accountId, agents)).map(({ uuid }) => uuid)),
    lists: new Set((await findLists(db, accountId, lists)).map(({ uuid }) => uuid)),
    audioFiles: await lockAudioFiles(db, accountId, audioFiles),
  };
}

const agentIn = (destination: RouteDestination): string | undefined =>
  'agent' in destination ? destination.agent : undefined;

function routeErrors(deps: Deps, channel: Channel, route: Route, known: Known): FieldErrors {
  const conditions = conditionErrors(channel, route.conditions ?? {}, known);
  const destination = destinationErrors(deps, channel, route.destination, known);
  return { ...(hasAny(conditions) && { conditions }), ...(hasAny(destination) && { destination }) };
}

function conditionErrors(channel: Channel, conditions: RouteConditions, known: Known): FieldErrors {
  const errors: FieldErrors = {};
  if (channel === 'VOICE' && conditions.keywords) errors['keywords'] = ['A call has no text.'];
  if (channel !== 'VOICE' && conditions.digits) errors['digits'] = ['Only callers enter digits.'];
  const unknown = (conditions.caller_lists ?? []).find((list) => !known.lists.has(list.toLowerCase()));
  if (unknown !== undefined) errors['caller_lists'] = [`List "${unknown}" does not exist.`];
  const agent = conditions.agent_available?.agent;
  if (isUnknown(agent, known)) errors['agent_available'] = { agent: [`Agent "${agent}" does not exist.`] };
  return errors;
}

const isUnknown = (agent: string | undefined, { agents }: Known): boolean =>
  agent !== undefined && !agents.has(agent.toLowerCase());

function destinationErrors(deps: Deps, channel: Channel, to: RouteDestination, known: Known): FieldErrors {
  if (!destinationsOf[channel].includes(to.type)) {
    return { type: [`"${to.type}" is not a destination of the channel ${channel}.`] };
  }
  const errors: FieldErrors = {};
  const agent = agentIn(to);
  if (isUnknown(agent, known)) errors['agent'] = [`Agent "${agent}" does not exist.`];
  if (to.type === 'CHATAPP' && to.template && to.text) errors['text'] = ['Give a template or a text, not both.'];
  if (to.type === 'AUDIO' && !known.audioFiles.has(to.audio_file)) {
    errors['audio_file'] = [`Audio file "${to.audio_file}" does not exist.`];
  }
  const address = to.type === 'WEBHOOK' ? callbackUrlErrors(deps, to.url) : undefined;
  if (address) errors['url'] = address;
  return errors;
}
