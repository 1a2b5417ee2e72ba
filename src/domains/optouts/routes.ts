import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { Phone, presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { searchQuery, withSought } from '../directory/index.ts';
import { optIn, optOut, optOutEach, recordConsent } from './change.ts';
import { erasedKey } from './erase.ts';
import { findOptOut, listOptOutEvents, listOptOuts, readOptOuts } from './queries.ts';
import {
  Channel,
  OptInCreate,
  OptOut,
  OptOutCreate,
  OptOutEvent,
  OptOutEventPage,
  OptOutPage,
  OptOuts,
  OptOutsCreate,
  presentOptOut,
  presentOptOutEvent,
} from './schemas.ts';

const tag = 'Opt-outs';

/** Somebody who was erased is found by the number, too. */
const withHash = <Q extends { number?: string }>({ vault }: Deps, accountId: string, query: Q) => ({
  ...query,
  ...(query.number !== undefined && { hash: erasedKey(vault, accountId, phoneDigits(query.number)) }),
});

export const routes = [
  route({
    method: 'GET',
    url: '/v2/opt-outs/',
    operationId: 'listOptOuts',
    summary: 'List who has opted out',
    tag,
    scope: 'optouts:read',
    query: Type.Object({
      ...pageQuery,
      number: Type.Optional(Phone()),
      phone_number: aliasOf('number', Phone()),
      channel: Type.Optional(Channel),
      ...searchQuery,
    }),
    responses: { 200: OptOutPage },
    csv: {
      name: 'opt-outs',
      columns: Object.keys(OptOut.properties),
      async *rows({ deps, accountId, principal, query }) {
        const filters = withHash(deps, accountId, await withSought(deps.db, principal, query));
        for await (const rows of readOptOuts(deps.db, accountId, filters)) yield rows.map(presentOptOut);
      },
    },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = withHash(deps, accountId, await withSought(deps.db, principal, query));
      return ok(presentPage(await listOptOuts(deps.db, accountId, filters), url(), presentOptOut));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/opt-outs/',
    operationId: 'createOptOut',
    summary: 'Opt a person out',
    description: 'If the person has already opted out, returns the existing opt-out.',
    tag,
    scope: 'optouts:write',
    body: OptOutCreate,
    responses: { 201: OptOut },
    example: { phone_number: '+44 7700 900199', channel: 'CHATAPP', text: 'Asked on the phone' },
    handler: async ({ deps, accountId, body }) => {
      const { phone_number, channel = 'ALL', text = '' } = body;
      return created(presentOptOut(await optOut(deps, accountId, { phone_number, channel, text, source: 'API' })));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/opt-outs/multiple/',
    operationId: 'createOptOuts',
    summary: 'Opt up to 1,000 people out',
    description: 'All or nobody: a number that cannot be read is a 400 that names its position.',
    tag,
    scope: 'optouts:write',
    body: OptOutsCreate,
    responses: { 201: OptOuts },
    example: { phone_numbers: ['+44 7700 900197', '+44 7700 900198'], channel: 'SMS', text: 'Asked on the phone' },
    handler: async ({ deps, accountId, body }) => {
      const { phone_numbers, channel = 'ALL', text = '' } = body;
      const people = phone_numbers.map((phone_number) => ({ phone_number, channel, text, source: 'API' }));
      return created({ results: (await optOutEach(deps, accountId, people)).map(presentOptOut) });
    },
  }),
  route({
    method: 'GET',
    url: '/v2/opt-outs/:uuid/',
    operationId: 'getOptOut',
    summary: 'Get an opt-out',
    tag,
    scope: 'optouts:read',
    params: UuidParams,
    responses: { 200: OptOut },
    handler: async ({ deps, accountId, params }) => {
      const row = await findOptOut(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentOptOut(row));
    },
  }),
  route({
    method: 'DELETE',
    url: '/v2/opt-outs/:uuid/',
    operationId: 'deleteOptOut',
    summary: 'Opt a person in again',
    tag,
    scope: 'optouts:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await optIn(deps, accountId, params.uuid, 'API');
      return noContent();
    },
  }),
  route({
    method: 'POST',
    url: '/v2/opt-ins/',
    operationId: 'createOptIn',
    summary: "Record a person's consent (opt-in)",
    description:
      'Also for somebody who never opted out. An opt-out of the channel ends; an opt-out of all channels becomes one of the other channels.',
    tag,
    scope: 'optouts:write',
    body: OptInCreate,
    responses: { 201: OptOutEvent },
    example: {
      phone_number: '+44 7700 900199',
      channel: 'CHATAPP',
      text: 'Ticked the box at https://example.com/sign-up',
    },
    handler: async ({ deps, accountId, body }) => {
      const { phone_number, channel = 'ALL', text = '' } = body;
      const request = { phone_number, channel, text, source: 'API' };
      return created(presentOptOutEvent(await recordConsent(deps, accountId, request)));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/opt-out-events/',
    operationId: 'listOptOutEvents',
    summary: 'List opt-outs and opt-ins with their source',
    tag,
    scope: 'optouts:read',
    query: Type.Object({ ...pageQuery, number: Type.Optional(Phone()), phone_number: aliasOf('number', Phone()) }),
    responses: { 200: OptOutEventPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listOptOutEvents(deps.db, accountId, query), url(), presentOptOutEvent)),
  }),
];
