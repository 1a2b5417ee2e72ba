import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { FreeForm, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { readPhone } from '../../platform/phone.ts';
import { parts } from './parts.ts';
import { exportPerson, type KnownPerson, mostCounted, mostNewest, readPerson } from './read.ts';

export const PersonParams = Type.Object({ number: Phone('In any notation.') });

const ofEach = <S extends ReturnType<typeof Type.Integer> | ReturnType<typeof rows>>(schema: S) =>
  Object.fromEntries(parts.map(({ name }) => [name, schema]));
const rows = () => Type.Array(FreeForm());

export const Erasure = Type.Object(
  {
    uuid: Uuid(),
    job: Uuid(),
    erased: Timestamp('When the job had erased all.'),
    by: Type.Object({ type: Type.String(), uuid: Uuid(), name: Type.String() }),
    counts: FreeForm({ description: 'How much went, by kind.', examples: [{ messages: 12, contacts: 1 }] }),
  },
  { title: 'Erasure', description: 'The receipt of an erasure. It names nobody but whoever asked for it.' },
);

const KnownPersonModel = Type.Object(
  {
    number: Type.String(),
    names: Type.Array(Type.String(), { description: 'What the person is called, by whoever says so.' }),
    counts: Type.Object(ofEach(Type.Integer()), {
      title: 'PersonCounts',
      description: `How much there is of each kind, counted up to ${mostCounted}.`,
    }),
    newest: Type.Object(ofEach(rows()), {
      title: 'PersonNewest',
      description: `The newest ${mostNewest} of each kind.`,
    }),
    erasures: Type.Array(Erasure, { description: 'When this person was erased before.' }),
  },
  { title: 'KnownPerson' },
);

const presentPerson = ({ erasures, ...person }: KnownPerson) => ({
  ...person,
  erasures: erasures.map(({ uuid, job, created, actor_type, actor_uuid, actor_name, counts }) => ({
    uuid,
    job,
    erased: created,
    by: { type: actor_type, uuid: actor_uuid, name: actor_name },
    counts,
  })),
});

const tag = 'People';
const one = '/v2/people/:number/';

export const routes = [
  route({
    method: 'GET',
    url: one,
    operationId: 'getPerson',
    reads: 'content',
    auditPath: '/v2/people/…/',
    summary: 'Get everything that is known about a person',
    description:
      'On all channels: how much there is of each kind, and the newest. For an unknown person everything is empty.',
    tag,
    scope: 'people:read',
    params: PersonParams,
    responses: { 200: KnownPersonModel },
    // What is known of a person comes from everywhere, and nobody edits it here.
    tagged: false,
    handler: async ({ deps, accountId, principal, params }) =>
      ok(presentPerson(await readPerson(deps, accountId, readPhone(params.number, principal.country)))),
  }),
  route({
    method: 'GET',
    url: `${one}export/`,
    operationId: 'exportPerson',
    reads: 'content',
    auditPath: '/v2/people/…/export/',
    summary: 'Export everything that is known about a person',
    description: 'JSON lines: one object for each row, with its `kind`. The file is streamed.',
    tag,
    scope: 'people:read',
    params: PersonParams,
    responses: { 200: Type.String({ contentMediaType: 'application/x-ndjson' }) },
    handler: async ({ deps, accountId, principal, params, request, reply }) => {
      const digits = readPhone(params.number, principal.country);
      const stream = Readable.from(request.method === 'HEAD' ? [] : exportPerson(deps, accountId, digits));
      stream.on('error', (err) => deps.log.error({ err, requestId: request.id }, 'The export of a person broke off'));
      reply.header('cache-control', 'no-store');
      return {
        status: 200,
        headers: {
          'content-type': 'application/x-ndjson; charset=utf-8',
          'content-disposition': `attachment; filename="person-${digits.replaceAll(/\W/g, '')}.jsonl"`,
        },
        body: stream,
      };
    },
  }),
];
