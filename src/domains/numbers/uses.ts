import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

/** What the numbers that an account has use of other rooms. */

/** Whether a number names this webhook. */
export async function isWebhookOfNumber(db: Db, accountId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('numbers')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .where(sql<boolean>`webhooks @> array[${name}]`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Numbers that name an audio file, by the file's uuid: at most so many of each. */
export async function numbersPlaying(
  db: Db,
  accountId: string,
  files: { uuid: string; name: string }[],
  most: number,
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ uuid: string; numbers: string[] }>`
    select file.uuid, array(
      select number from numbers
      where account_id = ${accountId} and released_at is null
        and whisper_file || record_call_file || keep_number_file || voicemail_lite_file || capture_digits_file <> ''
        and number_audio_files(account_id,
          array[whisper_file, record_call_file, keep_number_file, voicemail_lite_file, capture_digits_file])
        && array[${accountId}::text || ' ' || file.uuid, ${accountId}::text || ' ' || file.name]
      limit ${most}) as numbers
    from unnest(${files.map(({ uuid }) => uuid)}::text[], ${files.map(({ name }) => name)}::text[]) as file (uuid, name)`.execute(
    db,
  );
  return new Map(rows.map(({ uuid, numbers }) => [uuid, numbers.toSorted()]));
}
