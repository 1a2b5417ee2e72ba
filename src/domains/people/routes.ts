import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { ok } from '../../platform/http/route.ts';
import { readPhone } from '../../platform/phone.ts';
import { exportPerson, readPerson } from './read.ts';
import { KnownPersonModel, PersonParams, presentPerson } from './schemas.ts';

const tag = 'People';
const one = '/v2/people/:number/';

export const routes = [
  route({
    method: 'GET',
    url: one,
    operationId: 'getPerson',
    summary: 'Everything that is known of one person',
    description:
      'Over all channels: how much there is of each kind, and the newest. Of somebody unknown there is nothing of any kind.',
    tag,
    scope: 'people:read',
    params: PersonParams,
    responses: { 200: KnownPersonModel },
    handler: async ({ deps, accountId, principal, params }) =>
      ok(presentPerson(await readPerson(deps, accountId, readPhone(params.number, principal.country)))),
  }),
  route({
    method: 'GET',
    url: `${one}export/`,
    operationId: 'exportPerson',
    summary: 'Everything that is known of one person, as a file',
    description: 'A line of JSON for each row, with its `kind`. It is written as it is read, however much there is.',
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
