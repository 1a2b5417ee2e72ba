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
