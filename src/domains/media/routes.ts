import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { rangeSentence } from '../../platform/http/files/file-answer.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { mostBytesOfAll } from './media-types.ts';
import { findTemplateMedia, listTemplateMedia } from './queries.ts';
import { FileContent, presentTemplateMedia, TemplateMedia, TemplateMediaCreate, TemplateMediaPage } from './schemas.ts';
import { serveInbound, serveTemplateMedia } from './serve-file.ts';
import { deleteMedia, storeTemplateMedia } from './store.ts';

const tag = 'Media';
const url = '/v2/chatapp/template-media/';
const one = `${url}:uuid/` as const;

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listTemplateMedia',
    summary: 'List uploaded files',
    tag,
    scope: 'chatapp:read',
    query: Type.Object(pageQuery),
    responses: { 200: TemplateMediaPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(
        presentPage(await listTemplateMedia(deps.db, accountId, query), url(), (row) =>
          presentTemplateMedia(row, url()),
        ),
      ),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createTemplateMedia',
    summary: 'Upload a file for messages and templates',
    description:
      'The type is determined from the content, not from the file name. Images (JPEG, PNG) have at most 5 MB; videos (MP4, 3GP) and audio ' +
      '(AAC, AMR, MP3, M4A, Ogg with Opus) 16 MB; documents (PDF, plain text, Word, Excel, PowerPoint) 100 MB; stickers ' +
      '(WebP) 100 KB, animated ones 500 KB.',
    tag,
    scope: 'chatapp:write',
    upload: { mostBytes: mostBytesOfAll },
    body: TemplateMediaCreate,
    responses: { 201: TemplateMedia },
    example: { file: 'Opening hours: Monday to Friday, 9 to 5.\n', name: 'Opening hours' },
    handler: async ({ deps, accountId, upload, body, url }) =>
      created(presentTemplateMedia(await storeTemplateMedia(deps, accountId, upload, body), url())),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getTemplateMedia',
    summary: 'Get an uploaded file’s description',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    responses: { 200: TemplateMedia },
    handler: async ({ deps, accountId, params, url }) => {
      const row = await findTemplateMedia(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentTemplateMedia(row, url()));
    },
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteTemplateMedia',
    summary: 'Delete an uploaded file',
    description: 'A queued message that uses it will fail.',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await deleteMedia(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: `${one}content/`,
    operationId: 'getTemplateMediaContent',
    summary: 'Download an uploaded file',
    description: rangeSentence,
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    responses: { 200: FileContent, 206: FileContent },
    errors: [416],
    handler: ({ deps, accountId, params, request }) =>
      serveTemplateMedia(deps, accountId, params.uuid, request.headers),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/messages/:uuid/media/',
    operationId: 'getMessageMedia',
    reads: 'content',
    summary: 'Download the file that came with an inbound message',
    description: `503 with Retry-After while it is being downloaded; 404 if it is not available. ${rangeSentence}`,
    tag,
    scope: 'inbox:read',
    params: UuidParams,
    responses: { 200: FileContent, 206: FileContent },
    errors: [416, 503],
    bound: {
      object: {
        url: '/v2/chatapp/messages/:uuid/',
        number: (message: { chatapp_number: string }) => message.chatapp_number,
      },
    },
    handler: ({ deps, accountId, params, request }) => serveInbound(deps, accountId, params.uuid, request.headers),
  }),
];
