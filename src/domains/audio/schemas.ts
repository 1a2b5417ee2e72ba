import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import type { AudioRow } from './queries.ts';

/** So many are named of those who use a file. */
export const mostUses = 20;

export const AudioFileCreate = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '\\S',
        'x-message': 'This field may not be blank.',
        description:
          'What you call it; one file of the account has it. Left out: the name of the file, with a number after it where ' +
          'another has that.',
      }),
    ),
  },
  { title: 'AudioFileCreate' },
);
export type AudioFileCreate = Static<typeof AudioFileCreate>;

export const AudioFile = Type.Object(
  {
    uuid: Uuid(),
    name: Type.String({ description: 'Numbers name a file by this or by its uuid.' }),
    filename: Type.String(),
    duration_seconds: Type.Number(),
    size: Type.Integer({ description: 'Of the MP3, in bytes.' }),
    in_use_by: Type.Array(Type.String(), {
      description: `Numbers, and uuids of routing configs, that play it; at most ${mostUses} are named.`,
    }),
    created: Timestamp(),
  },
  { title: 'AudioFile' },
);
export const AudioFilePage = PageOf(AudioFile, 'AudioFilePage');

export const AudioContent = Type.Unsafe<string>({ type: 'string', format: 'binary', contentMediaType: 'audio/*' });

export const ContentQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['mp3', 'wav'], {
      default: 'mp3',
      description: '`mp3`: the file as it was uploaded. `wav`: as callers hear it, 8 kHz µ-law.',
    }),
  ),
});

export const presentAudioFile = (uses: ReadonlyMap<string, string[]>) => (row: AudioRow) => ({
  uuid: row.uuid,
  name: row.name,
  filename: row.filename,
  duration_seconds: row.duration_ms / 1000,
  size: row.size,
  in_use_by: uses.get(row.uuid) ?? [],
  created: row.created,
});
