import type { FieldErrors } from '../../../platform/errors.ts';
import type { MediaType } from '../../media/index.ts';

/** An uploaded file that a message names, and where: as its media, or in the header of what it is. */
export interface NamedFile {
  uuid: string;
  mediaType: MediaType;
  path: readonly (string | number)[];
}

interface FileRef {
  media_uuid?: string;
}
/** A header, or the parameter of one: the file stands under its type. */
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
