import { sql } from 'kysely';
import { CarrierRefusal, type CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { Sender } from '../../../carriers/ports/chat.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import type { FileName } from '../../../platform/files/files.ts';
import { eachItem, under } from '../definition/check.ts';
import type { Component } from '../definition/schemas.ts';

/** Samples for headers: files of the account that become handles, which is what the platform calls a sample. */

/** What the platform takes as a sample. */
const typesOf: Record<string, string[]> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
};

/** The files are another room's; they are only read here. */
async function findFiles(db: Db, accountId: string, uuids: string[]) {
  if (uuids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('media')
    .select(['uuid', 'filename', 'mime_type', 'size', 'path'])
    .where('account_id', '=', accountId)
    .where('uuid', '=', sql<string>`any (${uuids}::uuid[])`)
    .where('kind', '=', 'TEMPLATE')
    .execute();
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Errors for headers whose file is not there or is of the wrong type. */
export async function sampleErrors(
  db: Db,
  accountId: string,
  components: Component[],
): Promise<FieldErrors | undefined> {
  const files = await findFiles(db, accountId, filesOf(components));
  return headerFileErrors(components, (uuid, format) => {
    const file = files.get(uuid);
    if (!file) return 'No template media has this uuid.';
    const types = typesOf[format]!;
    return types.includes(file.mime_type) ? undefined : `Give a file of type ${types.join(' or ')}.`;
  });
}

/** The components as the carrier takes them: files are uploaded, and their handles put in their places. */
export async function withSamples(
  { db, files: stored }: Deps,
  carrier: CarrierWith<'chat'>,
  sender: Sender,
  components: object[],
): Promise<object[]> {
  const wanted = filesOf(components);
  const files = await findFiles(db, sender.accountId, wanted);
  const handles = new Map<string, string>();
  for (const uuid of wanted) {
    const file = files.get(uuid);
    if (!file) throw new CarrierRefusal('sample_gone', 'The file for the header was deleted before it was submitted.');
    const { filename: name, mime_type: mimeType, size } = file;
    const path = await stored.local(file.path as FileName);
    handles.set(uuid, await carrier.chat.media.uploadSample(sender, { name, mimeType, size: size!, path }));
  }
  return withHandles(components, handles);
}

type AnyComponent = { type: string } & Record<string, unknown>;

/** The file that a header's sample is to be made of, in lower case. */
const fileOf = (component: AnyComponent): string | undefined =>
  component.type === 'HEADER' && typeof component['media_uuid'] === 'string'
    ? component['media_uuid'].toLowerCase()
    : undefined;

const cardsOf = (component: AnyComponent): { components: AnyComponent[] }[] =>
  component.type === 'CAROUSEL' ? (component['cards'] as { components: AnyComponent[] }[]) : [];

/** The files of all headers, those of the cards too. */
function filesOf(components: readonly object[]): string[] {
  const files = (components as AnyComponent[]).flatMap((component) => [
    fileOf(component) ?? [],
    cardsOf(component).map((card) => filesOf(card.components)),
  ]);
  return [...new Set(files.flat(2))];
}

/** The errors of headers whose file does not do, by what `problemOf` says of it. */
function headerFileErrors(
  components: readonly Component[],
  problemOf: (file: string, format: string) => string | undefined,
): FieldErrors | undefined {
  const check = (list: readonly object[]): FieldErrors | undefined =>
    under(
      'components',
      eachItem(list as AnyComponent[], (component) => {
        const file = fileOf(component);
        const problem = file && problemOf(file, String(component['format']));
        if (problem) return { media_uuid: [problem] };
        return under(
          'cards',
          eachItem(cardsOf(component), (card) => check(card.components)),
        );
      }),
    );
  return check(components);
}

/** The components as the platform takes them: handles in place of our files. */
const withHandles = (components: readonly object[], handles: ReadonlyMap<string, string>): object[] =>
  (components as AnyComponent[]).map((component) => {
    const file = fileOf(component);
    if (file !== undefined) {
      const { media_uuid, ...header } = component;
      return { ...header, example: { header_handle: [handles.get(file)!] } };
    }
    if (component.type !== 'CAROUSEL') return component;
    const cards = cardsOf(component).map((card) => ({ ...card, components: withHandles(card.components, handles) }));
    return { ...component, cards };
  });
