import type { Static } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { withWarnings } from '../../platform/http/header-values.ts';
import { presentPage, presentWhole } from '../../platform/http/openapi/models.ts';
import { type Answer, created, noContent, ok } from '../../platform/http/route.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { buyNumbers } from './buy.ts';
import { capabilities, features } from './catalogue.ts';
import { alone, numberWarnings } from './check.ts';
import { insightRoutes } from './insights/insights.ts';
import { logRoutes } from './logs.ts';
import { countPrefixes, fictionFor, searchPool } from './pool/queries.ts';
import { poolRoutes } from './pool/routes.ts';
import { findNumber, listNumbers, type NumberRow } from './queries.ts';
import { releaseNumber } from './release.ts';
import {
  AvailableNumberPage,
  Bulk,
  NumberCapabilityPage,
  NumberCreate,
  NumberFilter,
  NumberList,
  NumberPage,
  NumberParams,
  NumberPrefixPage,
  NumberSearch,
  NumberUpdate,
  NumberUpdateItem,
  OwnedNumber,
  PrefixFilter,
  presentAvailable,
  presentNumber,
  presentStored,
  StoredNumber,
  StoredNumberList,
  VoiceFeaturePage,
} from './schemas.ts';
import { patch, replace, updateNumber, updateNumbers } from './update.ts';

const tag = 'Numbers';
const settings = { target_number: '+442079460001', features: ['TTS'], tts: 'Welcome to the shop.', meta: { shop: 7 } };

/** For tokens that are bound to some numbers. */
const ofNumber = { object: { url: '/v2/number/:number/', number: (row: Static<typeof StoredNumber>) => row.number } };

/** The answer, with what is to be said about these numbers. */
const warned = async (deps: Deps, accountId: string, answer: Answer, rows: NumberRow[]): Promise<Answer> =>
  withWarnings(answer, await numberWarnings(deps, accountId, rows));

export const routes = [
  route({
    method: 'GET',
    url: '/v2/number/',
    operationId: 'listNumbers',
    summary: 'Return all active numbers',
    tag,
    scope: 'number:read',
    query: NumberFilter,
    responses: { 200: NumberPage },
    handler: async ({ deps, accountId, principal, query, url }) =>
      ok(presentPage(await listNumbers(deps.db, accountId, query, principal.country), url(), presentNumber)),
  }),
  route({
    method: 'POST',
    url: '/v2/number/',
    operationId: 'buyNumber',
    summary: 'Buy a number',
    tag,
    scope: 'number:write',
    body: NumberCreate,
    responses: { 201: OwnedNumber },
    errors: [409],
    example: { country_code: 'GB', prefix: '20', ...settings },
    handler: async ({ deps, accountId, body }) => {
      const row = await alone(buyNumbers(deps, accountId, [body]));
      return warned(deps, accountId, created(presentNumber(row)), [row]);
    },
  }),
  route({
    method: 'GET',
    url: '/v2/number/search/',
    operationId: 'searchNumbers',
    summary: 'Search the numbers that can be bought',
    description:
      "Fictional numbers (those of the carrier `sandbox`) are offered while the account's `sandbox` is `adopt`.",
    tag,
    scope: 'number:read',
    query: NumberSearch,
    responses: { 200: AvailableNumberPage },
    handler: async ({ deps, accountId, query, url }) => {
      const page = await searchPool(deps.db, query, await fictionFor(deps, accountId));
      return ok(presentPage(page, url(), presentAvailable));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/number/prefixes/',
    operationId: 'listNumberPrefixes',
    summary: 'Number prefixes available on your account',
    tag,
    scope: 'number:read',
    query: PrefixFilter,
    responses: { 200: NumberPrefixPage },
    handler: async ({ deps, accountId, query }) =>
      ok(presentWhole(await countPrefixes(deps.db, query.country_code, await fictionFor(deps, accountId)))),
  }),
  route({
    method: 'GET',
    url: '/v2/number/capabilities/',
    operationId: 'listNumberCapabilities',
    summary: 'Number capabilities',
    tag,
    scope: 'number:read',
    responses: { 200: NumberCapabilityPage },
    handler: async () =>
      ok(presentWhole(Object.entries(capabilities).map(([name, description]) => ({ name, description })))),
  }),
  route({
    method: 'GET',
    url: '/v2/number/features/',
    operationId: 'listVoiceFeatures',
    summary: 'Voice feature list',
    tag,
    scope: 'number:read',
    responses: { 200: VoiceFeaturePage },
    handler: async () => ok(presentWhole(Object.entries(features).map(([name, feature]) => ({ name, ...feature })))),
  }),
  route({
    method: 'POST',
    url: '/v2/number/bulk/',
    operationId: 'createNumbers',
    summary: 'Create numbers in bulk',
    description: 'A maximum of 2 numbers per request, all or nothing.',
    tag,
    scope: 'number:write',
    body: Bulk(NumberCreate, 'NumberBulkCreate'),
    responses: { 201: NumberList },
    errors: [409],
    example: [
      { country_code: 'GB', prefix: '20', ...settings },
      { country_code: 'US', capabilities: ['VOICE', 'SMS', 'MMS'], keywords: ['OFFER'] },
    ],
    handler: async ({ deps, accountId, body }) => {
      const rows = await buyNumbers(deps, accountId, body);
      return warned(deps, accountId, created(rows.map(presentNumber)), rows);
    },
  }),
  route({
    method: 'PUT',
    url: '/v2/number/bulk/',
    operationId: 'updateNumbers',
    summary: 'Update numbers in bulk',
    description: 'Fields that an item leaves out are set to their defaults. All or nothing.',
    tag,
    scope: 'number:write',
    body: Bulk(NumberUpdateItem, 'NumberBulkUpdate'),
    responses: { 200: StoredNumberList },
    example: [{ number: '+442079460000', ...settings }],
    handler: async ({ deps, accountId, principal, body }) => {
      const rows = await updateNumbers(deps, accountId, body, replace, principal.country);
      return warned(deps, accountId, ok(rows.map(presentStored)), rows);
    },
  }),
  route({
    method: 'PATCH',
    url: '/v2/number/bulk/',
    operationId: 'partialUpdateNumbers',
    summary: 'Partially update numbers in bulk',
    description: 'Fields that an item leaves out do not change. All or nothing.',
    tag,
    scope: 'number:write',
    body: Bulk(NumberUpdateItem, 'NumberBulkUpdate'),
    responses: { 200: StoredNumberList },
    example: [{ number: '+442079460000', target_number: '+442079460002' }],
    handler: async ({ deps, accountId, principal, body }) => {
      const rows = await updateNumbers(deps, accountId, body, patch, principal.country);
      return warned(deps, accountId, ok(rows.map(presentStored)), rows);
    },
  }),
  route({
    method: 'GET',
    url: '/v2/number/:number/',
    operationId: 'getNumber',
    summary: 'Get a number',
    tag,
    scope: 'number:read',
    params: NumberParams,
    responses: { 200: StoredNumber },
    tagged: {
      without: ['last_called'],
      row: (accountId, { number = '' }) => ({
        table: 'numbers',
        where: { account_id: accountId, digits: phoneDigits(number) },
      }),
    },
    bound: ofNumber,
    handler: async ({ deps, accountId, params }) => {
      const row = await findNumber(deps.db, accountId, params.number);
      if (!row) throw notFound();
      return ok(presentStored(row));
    },
  }),
  route({
    method: 'PUT',
    url: '/v2/number/:number/',
    operationId: 'updateNumber',
    summary: 'Update a number',
    description: 'Fields that are left out are set to their defaults.',
    tag,
    scope: 'number:write',
    params: NumberParams,
    body: NumberUpdate,
    responses: { 200: StoredNumber },
    example: settings,
    bound: ofNumber,
    handler: async ({ deps, accountId, principal, params, body }) => {
      const row = await updateNumber(deps, accountId, params.number, body, replace, principal.country);
      return warned(deps, accountId, ok(presentStored(row)), [row]);
    },
  }),
  route({
    method: 'PATCH',
    url: '/v2/number/:number/',
    operationId: 'partialUpdateNumber',
    summary: 'Partially update a number',
    description: 'Fields that are left out do not change. To switch a feature on, name it in `features`.',
    tag,
    scope: 'number:write',
    params: NumberParams,
    body: NumberUpdate,
    responses: { 200: StoredNumber },
    example: { target_number: '+442079460002' },
    bound: ofNumber,
    handler: async ({ deps, accountId, principal, params, body }) => {
      const row = await updateNumber(deps, accountId, params.number, body, patch, principal.country);
      return warned(deps, accountId, ok(presentStored(row)), [row]);
    },
  }),
  route({
    method: 'DELETE',
    url: '/v2/number/:number/',
    operationId: 'releaseNumber',
    summary: 'Release a number',
    description: 'The account loses it at once. It is offered again after 30 days.',
    tag,
    scope: 'number:write',
    params: NumberParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await releaseNumber(deps, accountId, params.number);
      return noContent();
    },
  }),
  ...poolRoutes,
  ...insightRoutes,
  ...logRoutes,
];
