import type { Deps } from '../../deps.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import { checkConfig } from './check.ts';
import { routingCache } from './decide.ts';
import { fieldsOf } from './present.ts';
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
import { type ConfigFields, type RoutingConfigCreate, type RoutingConfigPatch, withDefaults } from './schemas.ts';

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
