import type { FieldErrors } from '../../../platform/errors.ts';
import { eachItem, under } from './each-item.ts';
import type { Component, Part } from './schemas.ts';

/** A header that is a file; the platform wants a sample of it. */
export type FileHeader = Extract<Part<'HEADER'>, { format: 'IMAGE' | 'VIDEO' | 'DOCUMENT' }>;

type AnyComponent = { type: string } & Record<string, unknown>;

export function fileErrors({ example, media_uuid }: FileHeader): FieldErrors | undefined {
  if (media_uuid !== undefined && example) return { media_uuid: ['Give either this or an example.'] };
  return media_uuid === undefined && !example
    ? { media_uuid: ['Give a file, or an example with its handle.'] }
    : undefined;
}

/** The file that a header's sample is to be made of, in lower case. */
const fileOf = (component: AnyComponent): string | undefined =>
  component.type === 'HEADER' && typeof component['media_uuid'] === 'string'
    ? component['media_uuid'].toLowerCase()
    : undefined;

const cardsOf = (component: AnyComponent): { components: AnyComponent[] }[] =>
  component.type === 'CAROUSEL' ? (component['cards'] as { components: AnyComponent[] }[]) : [];

/** The files of all headers, those of the cards too. */
export function filesOf(components: readonly object[]): string[] {
  const files = (components as AnyComponent[]).flatMap((component) => [
    fileOf(component) ?? [],
    cardsOf(component).map((card) => filesOf(card.components)),
  ]);
  return [...new Set(files.flat(2))];
}

/** The errors of headers whose file does not do, by what `problemOf` says of it. */
export function headerFileErrors(
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
export const withHandles = (components: readonly object[], handles: ReadonlyMap<string, string>): object[] =>
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
