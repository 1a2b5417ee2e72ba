import { type Static, Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { type FieldErrors, notFound, ValidationError } from '../../platform/errors.ts';
import { Uuid } from '../../platform/http/openapi/models.ts';
import { nullable, withOffset } from '../../platform/http/validation/index.ts';
import { withCountry } from '../../platform/phone.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { countryOf } from '../accounts/index.ts';
import { checkConfig } from './change.ts';
import { choose } from './choose.ts';
import { gatherFacts } from './decide.ts';
import { findConfig } from './queries.ts';
import { previewAgents } from './route-call.ts';
import { type ConfigFields, fieldsOf, RouteDestination, RoutingConfigCreate, withDefaults } from './schemas.ts';

const inquired = {
  number: Type.Optional(
    Type.String({ format: 'phone', description: 'Called or written to; left out: the first of the config.' }),
  ),
  from: Type.Optional(Type.String({ format: 'recipient', description: 'Who calls or writes; left out: withheld.' })),
  at: Type.Optional(Type.String({ format: 'date-time', description: 'When; left out: now.' })),
  text: Type.Optional(Type.String({ maxLength: 10_000, description: 'What they write.' })),
  digits: Type.Optional(Type.String({ maxLength: 20, description: 'What they enter.' })),
  random: Type.Optional(
    Type.Number({ minimum: 0, exclusiveMaximum: 1, description: 'What percentages and weights are drawn with.' }),
  ),
};

const RoutingConfigDraft = Type.Object(RoutingConfigCreate.properties, {
  title: 'RoutingConfigDraft',
  description: 'A config that is not saved.',
});

export const RouteInquiry = Type.Object(
  { ...inquired, config: Type.Optional(RoutingConfigDraft) },
  { title: 'RouteInquiry' },
);
export const RouteDraftInquiry = Type.Object(
  { ...inquired, config: RoutingConfigDraft },
  { title: 'RouteDraftInquiry' },
);

export const RouteExplanation = Type.Object(
  {
    at: Type.String(),
    random: Type.Number({ description: 'Given again, it draws the same again.' }),
    destinations: Type.Array(
      Type.Object({
        route: nullable(Type.Integer({ description: 'Its place among the routes, from 0; null: the fallback.' })),
        name: Type.String(),
        destination: RouteDestination,
        agents: nullable(
          Type.Array(Type.Object({ uuid: Uuid(), name: Type.String() }), {
            description: 'Of an agent or a skill: who would be asked, in order.',
          }),
        ),
      }),
      { description: 'In the order in which they would be tried.' },
    ),
    routes: Type.Array(
      Type.Object({
        name: Type.String(),
        matches: Type.Boolean(),
        drawn: nullable(
          Type.Boolean({ description: 'Whether it was drawn among those of its group; null: there was no choice.' }),
        ),
        conditions: Type.Array(
          Type.Object({
            condition: Type.String(),
            holds: Type.Boolean(),
            found: Type.String({ description: 'What was found where the condition looks.' }),
          }),
        ),
      }),
    ),
  },
  { title: 'RouteExplanation' },
);

/** Which way a call or message would take by a saved config, enabled or not, or by a draft of it, and why. Nothing happens. */
export async function explain(
  deps: Deps,
  accountId: string,
  uuid: string,
  inquiry: Static<typeof RouteInquiry>,
): Promise<Static<typeof RouteExplanation>> {
  const row = await findConfig(deps.db, accountId, uuid);
  if (!row) throw notFound();
  const { config } = inquiry;
  // What a saved config names may be gone since: it is explained all the same.
  const fields = config ? await draftOf(deps, accountId, config) : fieldsOf(row);
  return explainFields(deps, accountId, fields, inquiry);
}

/** The same by a config that was never saved. */
export const explainDraft = async (
  deps: Deps,
  accountId: string,
  inquiry: Static<typeof RouteDraftInquiry>,
): Promise<Static<typeof RouteExplanation>> =>
  explainFields(deps, accountId, await draftOf(deps, accountId, inquiry.config), inquiry);

/** What could not be saved is not explained either: its errors stand under `config`. */
async function draftOf(deps: Deps, accountId: string, draft: RoutingConfigCreate): Promise<ConfigFields> {
  const fields = withDefaults(draft);
  try {
    await checkConfig(deps, accountId, fields);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError({ config: error.errors as FieldErrors });
  }
  return fields;
}

async function explainFields(
  deps: Deps,
  accountId: string,
  fields: ConfigFields,
  inquiry: Static<typeof RouteInquiry>,
): Promise<Static<typeof RouteExplanation>> {
  const at = inquiry.at === undefined ? deps.clock.now() : new Date(withOffset(inquiry.at));
  // The calendar of a zone cannot be asked about every year that can be written.
  if (!(at.getTime() >= 0 && at.getTime() < Date.UTC(9999, 0))) {
    throw new ValidationError({ at: ['Enter a moment between the years 1970 and 9999.'] });
  }
  const { number = fields.numbers[0] ?? '', from = '', text = '', digits = '', random = Math.random() } = inquiry;
  const country = await countryOf(deps, accountId);
  const asDialled = (written: string) => withCountry(written, country);
  const asked = { number: asDialled(number), from: asDialled(from), at, text, digits, random };
  const facts = await gatherFacts(deps, accountId, fields, asked);
  const { destinations, routes } = choose(fields, facts);
  const nameOf = (route: number | null) => (route === null ? '' : (fields.routes[route]!.name ?? ''));
  const agentsOf = async (destination: RouteDestination) => {
    if (destination.type !== 'AGENT') return null;
    return (await previewAgents(deps, accountId, destination, at)).map(({ uuid, name }) => ({ uuid, name }));
  };
  return {
    at: timestamp(at),
    random,
    destinations: await Promise.all(
      destinations.map(async ({ route, destination }) => ({
        route,
        name: nameOf(route),
        destination,
        agents: await agentsOf(destination),
      })),
    ),
    routes: routes.map(({ matches, drawn, conditions }, route) => ({
      name: nameOf(route),
      matches,
      drawn,
      conditions,
    })),
  };
}
