import { Type } from 'typebox';
import { type Deps, route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { rangeSentence } from '../../platform/http/files/file-answer.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { type AudioRow, findAudioFile, listAudioFiles } from './queries.ts';
import {
  AudioContent,
  AudioFile,
  AudioFileCreate,
  AudioFilePage,
  ContentQuery,
  mostUses,
  presentAudioFile,
} from './schemas.ts';
import { serveAudioFile } from './sounds.ts';
import { deleteAudioFile, storeAudioFile } from './store.ts';

const tag = 'Audio files';
const url = '/v2/audio-files/';
const one = `${url}:uuid/` as const;
const mostBytes = 10 * 1024 * 1024;

/** Three frames of silence, MPEG 2 at 8 kbit/s. */
const silence = `data:audio/mpeg;base64,${'//MUwAAAAAAAAAAAAAAAAAAAAAAAAAAA'.repeat(3)}`;

/** The way to present these rows. */
const presentWithUses = async ({ db, uses }: Deps, accountId: string, rows: AudioRow[]) =>
  presentAudioFile(await uses.audioFiles(db, accountId, rows, mostUses));

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listAudioFiles',
    summary: 'List audio files',
    tag,
    scope: 'voice:read',
    query: Type.Object(pageQuery),
    responses: { 200: AudioFilePage },
    handler: async ({ deps, accountId, query, url }) => {
      const page = await listAudioFiles(deps.db, accountId, query);
      return ok(presentPage(page, url(), await presentWithUses(deps, accountId, page.rows)));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createAudioFile',
    summary: 'Upload an MP3 for callers',
    description: 'An MP3 of at most an hour. It is converted at once to telephone quality: 8 kHz, one channel.',
    tag,
    scope: 'voice:write',
    upload: { mostBytes },
    body: AudioFileCreate,
    responses: { 201: AudioFile },
    errors: [503],
    example: { file: silence },
    handler: async ({ deps, accountId, upload, body }) => {
      const row = await storeAudioFile(deps, accountId, upload, body);
      return created((await presentWithUses(deps, accountId, [row]))(row));
    },
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getAudioFile',
    summary: 'Get an audio file’s description',
    tag,
    scope: 'voice:read',
    params: UuidParams,
    responses: { 200: AudioFile },
    tagged: { without: ['in_use_by'] },
    handler: async ({ deps, accountId, params }) => {
      const row = await findAudioFile(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok((await presentWithUses(deps, accountId, [row]))(row));
    },
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteAudioFile',
    summary: 'Delete an audio file that nothing uses',
    tag,
    scope: 'voice:write',
    params: UuidParams,
    responses: { 204: null },
    errors: [409],
    handler: async ({ deps, accountId, params }) => {
      await deleteAudioFile(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: `${one}content/`,
    operationId: 'getAudioFileContent',
    summary: 'Download an audio file',
    description: rangeSentence,
    tag,
    scope: 'voice:read',
    params: UuidParams,
    query: ContentQuery,
    responses: { 200: AudioContent, 206: AudioContent },
    errors: [416],
    handler: ({ deps, accountId, params, query, request }) =>
      serveAudioFile(deps, accountId, params.uuid, { format: query.format ?? 'mp3', asked: request.headers }),
  }),
];
