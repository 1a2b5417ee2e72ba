import type { FieldErrors } from '../../../platform/errors.ts';
import { buttonErrors } from './buttons.ts';
import { eachItem, under } from './each-item.ts';
import { fileErrors } from './header-file.ts';
import type { Card, CardPart, Definition, Part } from './schemas.ts';
import { bodyErrors } from './variables.ts';

const mostCharacters = 160;

/** Cards are made alike: the same kind of header, the same buttons, a text in all of them or in none. */
export function carouselErrors({ cards }: Part<'CAROUSEL'>, definition: Definition): FieldErrors | undefined {
  const errors = eachItem(cards, (card) => cardErrors(card, definition));
  return under('cards', errors ?? differenceErrors(cards));
}

function cardErrors({ components }: Card, definition: Definition): FieldErrors | undefined {
  const types = components.map(({ type }) => type);
  if (!types.includes('HEADER')) return { components: ['A card needs a HEADER with an image or a video.'] };
  if (!types.includes('BUTTONS')) return { components: ['A card needs BUTTONS.'] };
  return under(
    'components',
    eachItem(components, (component, index) => {
      if (types.indexOf(component.type) < index) return { type: ['Given twice.'] };
      switch (component.type) {
        case 'HEADER':
          return fileErrors(component);
        case 'BODY':
          return bodyErrors(component, definition.parameter_format, mostCharacters);
        case 'BUTTONS':
          return buttonErrors(component.buttons, definition.category);
      }
    }),
  );
}

function differenceErrors(cards: Card[]): FieldErrors[] | undefined {
  const first = makeOf(cards[0]!);
  return eachItem(cards, (card) =>
    makeOf(card) === first
      ? undefined
      : { components: ['All cards must have the same kind of header, text and buttons.'] },
  );
}

/** How a card is made, to compare it by. */
function makeOf({ components }: Card): string {
  const find = <T extends CardPart<'HEADER' | 'BODY' | 'BUTTONS'>['type']>(type: T) =>
    components.find((component): component is CardPart<T> => component.type === type);
  const buttons = find('BUTTONS')?.buttons.map(({ type }) => type) ?? [];
  return [find('HEADER')?.format, find('BODY') ? 'text' : '', ...buttons].join();
}
