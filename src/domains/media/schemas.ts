import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { besideCalled } from '../../platform/http/route.ts';
import { mediaTypeOf, mediaTypes } from './media-types.ts';
import type { StoredRow } from './queries.ts';

export const TemplateMediaCreate = Type.Object(
  { name: Type.Optional(Type.String({ maxLength: 200, description: 'What you call it; else the name of the file.' })) },
  { title: 'TemplateMediaCreate' },
);
export type TemplateMediaCreate = Static<typeof TemplateMediaCreate>;

export const TemplateMedia = Type.Object(
  {
    uuid: Uuid('To be sent as `media_uuid`.'),
    name: Type.String(),
    filename: Type.String(),
    mime_type: Type.String({ description: 'What the file is, by its content.' }),
    media_type: Type.Enum(mediaTypes, { description: 'The type of message that carries it.' }),
    size: Type.Integer({ description: 'In bytes.' }),
    sha256: Type.String({ description: 'In hex.' }),
    url: Type.String({ description: 'Where its bytes are; asks for a token, as everything does.' }),
    created: Timestamp(),
  },
  { title: 'TemplateMedia' },
);
export const TemplateMediaPage = PageOf(TemplateMedia, 'TemplateMediaPage');

/** The bytes of a file, as they are. */
export const FileContent = Type.Unsafe<string>({ type: 'string', format: 'binary', contentMediaType: '*/*' });

/** `url`: of the request, whose host the link names. */
export const presentTemplateMedia = (row: StoredRow, url: URL) => ({
  uuid: row.uuid,
  name: row.name,
  filename: row.filename,
  mime_type: row.mime_type,
  media_type: mediaTypeOf(row.mime_type),
  size: row.size,
  sha256: row.sha256,
  url: besideCalled(url, `/v2/chatapp/template-media/${row.uuid}/content/`),
  created: row.created,
});
