import { type Static, Type } from 'typebox';
import type { FieldErrors } from '../../../platform/errors.ts';
import { LanguageCode, MessageTemplateComponents, TemplateName } from '../../templates/index.ts';
import { atItem, firstRepeat } from './interactive.ts';

export const Template = Type.Object({
  template_name: TemplateName,
  components: Type.Optional(MessageTemplateComponents),
  language_code: Type.Optional(LanguageCode),
});

/** What two components of a template are compared by. */
interface Slot {
  type: string;
  index?: number;
}

interface Card {
  card_index: number;
  components: (Slot & { parameters?: { type: string }[] })[];
}

/** What the schema cannot say: each part of the template is filled once, and the cards of a carousel go together. */
export function templateErrors({ components = [] }: Static<typeof Template>): FieldErrors | undefined {
  const errors = repeatErrors(components) ?? carouselErrors(components);
  return errors && { components: errors };
}

function repeatErrors(components: readonly Slot[]): FieldErrors[] | undefined {
  const repeat = firstRepeat(components, isSameSlot);
  if (repeat < 0) return undefined;
  const isButton = components[repeat]!.type === 'button';
  return atItem(components, repeat, isButton ? { index: ['Given twice.'] } : { type: ['Given twice.'] });
}

const isSameSlot = (one: Slot, other: Slot): boolean => one.type === other.type && one.index === other.index;

function carouselErrors(components: Static<typeof MessageTemplateComponents>): FieldErrors[] | undefined {
  const place = components.findIndex(({ type }) => type === 'carousel');
  if (place < 0) return undefined;
  const errors = cardErrors((components[place] as { cards: Card[] }).cards);
  return errors && atItem(components, place, { cards: errors });
}

function cardErrors(cards: Card[]): FieldErrors[] | undefined {
  const sameIndex = firstRepeat(cards, (one, other) => one.card_index === other.card_index);
  if (sameIndex >= 0) return atItem(cards, sameIndex, { card_index: ['Given twice.'] });
  const errors = cards.map(({ components }) => repeatErrors(components));
  const repeating = errors.findIndex((found) => found !== undefined);
  if (repeating >= 0) return atItem(cards, repeating, { components: errors[repeating]! });
  const headers = cards.map(headerKind);
  const headless = headers.indexOf(undefined);
  if (headless >= 0)
    return atItem(cards, headless, { components: ['A card needs a header with an image or a video.'] });
  const other = headers.findIndex((kind) => kind !== headers[0]);
  if (other < 0) return undefined;
  return atItem(cards, other, { components: ['The card headers must be all images or all videos.'] });
}

const headerKind = ({ components }: Card): string | undefined =>
  components.find(({ type }) => type === 'header')?.parameters?.[0]?.type;

const longestPassword = 15;

/** A one-time password is at most 15 characters, wherever it stands. */
export function oneTimePasswordErrors({ components = [] }: Static<typeof Template>): FieldErrors | undefined {
  const errors = components.map(passwordErrors);
  return errors.some((error) => error !== undefined) ? { components: errors.map((error) => error ?? {}) } : undefined;
}

function passwordErrors(component: object): FieldErrors | undefined {
  const { parameters = [] } = component as { parameters?: { type: string; text?: string }[] };
  const wrong = parameters.findIndex(({ text }) => text !== undefined && text.length > longestPassword);
  const sentence = `Ensure this field has no more than ${longestPassword} characters.`;
  return wrong < 0 ? undefined : { parameters: atItem(parameters, wrong, { text: [sentence] }) };
}
