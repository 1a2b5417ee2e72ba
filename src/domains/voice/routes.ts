import { type Static, Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { rangeSentence } from '../../platform/http/files/file-answer.ts';
import { Phone, presentPage, Uuid, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, ok } from '../../platform/http/route.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import { searchQuery, withSought } from '../directory/index.ts';
import { hangUp } from './calls/end.ts';
import { startCall } from './calls/start-call.ts';
import { findCall, listCalls } from './queries.ts';
import { logRoutes } from './records/log-routes.ts';
import { networkRoutes } from './records/network-status.ts';
import { recordRoutes, withTargets } from './records/record-routes.ts';
import { RecordingContent, serveRecording } from './records/recording.ts';
import {
  Call,
  CallCreate,
  CallDirection,
  CallPage,
  CallResult,
  CallStatus,
  presentCall,
  SpokenLanguagePage,
} from './schemas.ts';
import { trunkRoutes } from './trunks/routes.ts';

const tag = 'Voice';
const url = '/v2/voice/calls/';
const one = `${url}:uuid/` as const;

/** Whose a call is, for tokens that are bound to some numbers. */
const ofCall = { object: { url: one, number: ({ number }: Static<typeof Call>) => number } };

export const routes = [
  route({
    method: 'POST',
    url,
    operationId: 'startCall',
    summary: 'Start a call',
    tag,
    scope: 'calls:write',
    audit: false,
    body: CallCreate,
    responses: { 201: Call },
    example: {
      from: '+442079460000',
      to: '+44 7700 900123',
      tts: 'Your table is ready.',
      bridge_to: '+44 7700 900124',
      timeout_seconds: 25,
    },
    bound: { numbers: ({ body }) => [body.from] },
    handler: async ({ deps, accountId, body }) => created(presentCall(await startCall(deps, accountId, body))),
  }),
  route({
    method: 'GET',
    url,
    operationId: 'listCalls',
    summary: 'List calls, including those in progress',
    tag,
    scope: 'calls:read',
    query: Type.Object({
      ...pageQuery,
      number: Type.Optional(Phone('Your number.')),
      caller: Type.Optional(Phone('Who called.')),
      from: aliasOf('caller', Phone()),
      direction: Type.Optional(CallDirection),
      status: Type.Optional(CallStatus),
      result: Type.Optional(CallResult),
      agent: Type.Optional(Uuid('The agent who was rung last.')),
      call_tracking: Type.Optional(
        Type.String({ maxLength: 255, description: 'The source: the label of the number.' }),
      ),
      ...searchQuery,
    }),
    responses: { 200: CallPage },
    bound: { numbers: ({ query }) => [query.number] },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withTargets(deps.db, accountId, await withSought(deps.db, principal, query));
      return ok(presentPage(await listCalls(deps.db, accountId, filters), url(), presentCall));
    },
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getCall',
    summary: 'Get a call',
    tag,
    scope: 'calls:read',
    params: UuidParams,
    responses: { 200: Call },
    bound: ofCall,
    handler: async ({ deps, accountId, params }) => {
      const call = await findCall(deps.db, accountId, params.uuid);
      if (!call) throw notFound();
      return ok(presentCall(call));
    },
  }),
  route({
    method: 'POST',
    url: `${one}hangup/`,
    operationId: 'hangUpCall',
    summary: 'End a call',
    description:
      'A call in progress ends within a moment; the response shows it as it was. A queued call ends at once.',
    tag,
    scope: 'calls:write',
    params: UuidParams,
    responses: { 202: Call },
    errors: [409],
    bound: ofCall,
    handler: async ({ deps, accountId, params }) => ({
      status: 202,
      body: presentCall(await hangUp(deps, accountId, params.uuid)),
    }),
  }),
  route({
    method: 'GET',
    url: `${one}recording/`,
    operationId: 'getCallRecording',
    reads: 'content',
    summary: 'Download the recording of a call, or its voicemail',
    description: `A WAV file, 8 kHz µ-law, one channel for each person. 404 if there is none; 503 while it waits, at the host that made it, for a file store that was away. ${rangeSentence}`,
    tag,
    scope: 'recordings:read',
    params: UuidParams,
    responses: { 200: RecordingContent, 206: RecordingContent },
    errors: [416],
    bound: ofCall,
    handler: ({ deps, accountId, params, request }) => serveRecording(deps, accountId, params.uuid, request.headers),
  }),
  route({
    method: 'GET',
    url: '/v2/voice/languages/',
    operationId: 'listSpokenLanguages',
    summary: 'List the languages of text to speech',
    description: 'English, and the languages of `espeak-ng` if it is installed.',
    tag,
    scope: 'voice:read',
    responses: { 200: SpokenLanguagePage },
    handler: async ({ deps }) => {
      const results = (await deps.sounds.languages()).map(({ language, name }) => ({ language, name }));
      return ok({ count: results.length, next: null, previous: null, results });
    },
  }),
  ...recordRoutes,
  ...logRoutes,
  ...networkRoutes,
  ...trunkRoutes,
];
