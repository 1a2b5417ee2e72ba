import { CarrierRefusal, type CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { Outcome, Sender } from '../../../carriers/ports/chat.ts';
import type { Deps } from '../../../deps.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { carrierIdsOf, type MediaType } from '../../media/index.ts';
import type { Claimed } from '../deliver/queue.ts';

/** An uploaded file that a message names, and where it is named: as its media, or in a header. */
export interface NamedFile {
  uuid: string;
  mediaType: MediaType;
  path: readonly (string | number)[];
}

interface FileRef {
  media_uuid?: string;
}
/** A header, or a parameter of one, which has the file under the name of its type. */
type Header = { type?: string } & Record<string, unknown>;
interface Component {
  type: string;
  parameters?: Header[];
  cards?: { components: Component[] }[];
}
interface Content {
  media?: FileRef;
  interactive?: { header?: Header };
  components?: Component[];
}

/** The files that the content of a message names, as `message_data` has it. */
export function filesOf(type: string, content: object): NamedFile[] {
  const { media, interactive, components } = content as Content;
  if (media) return named(media, type, ['media']);
  if (interactive?.header) return inHeader(interactive.header, ['interactive', 'header']);
  return components ? inComponents(components, ['components']) : [];
}

function inComponents(components: Component[], path: NamedFile['path']): NamedFile[] {
  return components.flatMap(({ type, parameters = [], cards = [] }, place) => {
    if (type === 'header') {
      return parameters.flatMap((parameter, index) => inHeader(parameter, [...path, place, 'parameters', index]));
    }
    return cards.flatMap((card, index) =>
      inComponents(card.components, [...path, place, 'cards', index, 'components']),
    );
  });
}

function inHeader(header: Header, path: NamedFile['path']): NamedFile[] {
  const kind = header.type ?? '';
  const file = kind === 'text' ? undefined : (header[kind] as FileRef | undefined);
  return file ? named(file, kind.toUpperCase(), [...path, kind]) : [];
}

const named = ({ media_uuid: uuid }: FileRef, mediaType: string, path: NamedFile['path']): NamedFile[] =>
  uuid === undefined ? [] : [{ uuid, mediaType: mediaType as MediaType, path: [...path, 'media_uuid'] }];

type Errors = FieldErrors[string];

/** A sentence at its place in a content: a list has an entry for each of its items. */
export function errorsAt(content: object, [field, ...rest]: NamedFile['path'], sentence: string): FieldErrors {
  return { [field!]: within((content as Record<string, unknown>)[field!], rest, sentence) };
}

function within(content: unknown, path: NamedFile['path'], sentence: string): Errors {
  const [step, ...rest] = path;
  if (step === undefined) return [sentence];
  if (!Array.isArray(content)) return errorsAt(content as object, path, sentence);
  return content.map((item, index) => (index === step ? errorsAt(item, rest, sentence) : {}));
}

/**
 * Finds the carrier's ids of the uploaded files that messages name, and uploads to the carrier those that it does not have. A
 * message whose file the carrier refuses gets its outcome here.
 */
export async function findCarrierFiles(deps: Deps, carrier: CarrierWith<'chat'>, sender: Sender, messages: Claimed[]) {
  const named = messages.flatMap((message) =>
    filesOf(message.type, message.message_data).map(({ uuid }) => ({ uuid: uuid.toLowerCase(), message })),
  );
  const byFile = Map.groupBy(named, ({ uuid }) => uuid);
  const ids = new Map<string, string>();
  const outcomes = new Map<Claimed, Outcome>();
  // Each for itself: one bad file must not hold back the others.
  await Promise.all(
    [...byFile].map(async ([uuid, users]) => {
      try {
        for (const [file, id] of await carrierIdsOf(deps, carrier, sender, [uuid])) ids.set(file, id);
        if (!ids.has(uuid)) for (const { message } of users) outcomes.set(message, deleted);
      } catch (error) {
        if (!(error instanceof CarrierRefusal)) throw error;
        for (const { message } of users) outcomes.set(message, outcomeOf(error));
      }
    }),
  );
  return { ids, outcomes };
}

const deleted: Outcome = { kind: 'rejected', code: 'media_deleted', description: 'Its file was deleted.' };

const outcomeOf = ({ code, message, temporary }: CarrierRefusal): Outcome =>
  temporary
    ? { kind: 'retry', description: `Its file could not be handed over: ${message}` }
    : { kind: 'rejected', code, description: `The carrier refused its file: ${message}` };
