import type { FieldErrors } from '../../../platform/errors.ts';
import type { Button, Card, CardPart, Component, Definition, Part } from './schemas.ts';
import { bodyErrors, headerTextErrors, variablesOf } from './variables.ts';

/** The platform's rules that a schema cannot say. What it would refuse is refused before anybody waits for a review. */
export function definitionErrors(definition: Definition): FieldErrors | undefined {
  const { components } = definition;
  if (!components.some(({ type }) => type === 'BODY')) return { components: ['A BODY is required.'] };
  if (isAuthentication(definition) && !components.some(({ type }) => type === 'BUTTONS')) {
    return { components: ['An authentication template needs BUTTONS with a button of type OTP.'] };
  }
  return under(
    'components',
    eachItem(components, (component, index) => {
      const problem = placeProblem(definition, index);
      return problem ? { type: [problem] } : componentErrors(component, definition);
    }),
  );
}

const isAuthentication = ({ category }: Definition): boolean => category === 'AUTHENTICATION';

/** What is wrong with a component being there at all. */
function placeProblem(definition: Definition, index: number): string | undefined {
  const types = definition.components.map(({ type }) => type);
  const type = types[index]!;
  if (types.indexOf(type) < index) return 'Given twice.';
  if (isAuthentication(definition) && !['BODY', 'FOOTER', 'BUTTONS'].includes(type)) {
    return 'Not in authentication templates.';
  }
  if (types.includes('CAROUSEL') && !['BODY', 'CAROUSEL'].includes(type)) return 'Only a BODY goes with a CAROUSEL.';
  if (types.includes('LIMITED_TIME_OFFER') && type === 'FOOTER') return 'Not beside a LIMITED_TIME_OFFER.';
  return undefined;
}

function componentErrors(component: Component, definition: Definition): FieldErrors | undefined {
  const { category, parameter_format: format, components } = definition;
  switch (component.type) {
    case 'HEADER':
      return headerErrors(component, definition);
    case 'BODY': {
      if (isAuthentication(definition))
        return unwanted(component, ['text', 'example'], 'Not in authentication templates.');
      const most = components.some(({ type }) => type === 'LIMITED_TIME_OFFER') ? 600 : 1024;
      return unwanted(component, ['add_security_recommendation']) ?? bodyErrors(component, format, most);
    }
    case 'FOOTER':
      return footerErrors(component, definition);
    case 'BUTTONS':
      return buttonErrors(component.buttons, category) ?? offerButtonErrors(component, components);
    case 'CAROUSEL':
      return carouselErrors(component, definition);
    case 'LIMITED_TIME_OFFER':
      return undefined;
  }
}

function headerErrors(header: Part<'HEADER'>, { parameter_format, components }: Definition): FieldErrors | undefined {
  const isOffer = components.some(({ type }) => type === 'LIMITED_TIME_OFFER');
  if (isOffer && header.format !== 'IMAGE' && header.format !== 'VIDEO') {
    return { format: ['An offer has an IMAGE or a VIDEO.'] };
  }
  switch (header.format) {
    case 'TEXT':
      return headerTextErrors(header, parameter_format);
    case 'LOCATION':
      return undefined;
    default:
      return fileErrors(header);
  }
}

function footerErrors(footer: Part<'FOOTER'>, definition: Definition): FieldErrors | undefined {
  if (isAuthentication(definition)) return unwanted(footer, ['text'], 'Not in authentication templates.');
  if (footer.text === undefined) return { text: ['This field is required.'] };
  if (variablesOf(footer.text).length > 0) return { text: ['A footer has no variables.'] };
  return unwanted(footer, ['code_expiration_minutes']);
}

/** The code of an offer is copied by its first button. */
function offerButtonErrors({ buttons }: Part<'BUTTONS'>, components: Component[]): FieldErrors | undefined {
  if (!components.some(({ type }) => type === 'LIMITED_TIME_OFFER')) return undefined;
  return under(
    'buttons',
    eachItem(buttons, ({ type }, index) =>
      type === 'COPY_CODE' && index > 0 ? { type: ['In an offer, this must be the first button.'] } : undefined,
    ),
  );
}

function unwanted<T extends object>(
  component: T,
  fields: (keyof T & string)[],
  sentence = 'For authentication templates only.',
): FieldErrors | undefined {
  const given = fields.filter((field) => component[field] !== undefined);
  return given.length > 0 ? Object.fromEntries(given.map((field) => [field, [sentence]])) : undefined;
}

const mostOf: Partial<Record<Button['type'], number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 };

function buttonErrors(buttons: readonly Button[], category: string): FieldErrors | undefined {
  const isAuthentication = category === 'AUTHENTICATION';
  if (isAuthentication && (buttons.length !== 1 || buttons[0]!.type !== 'OTP')) {
    return { buttons: ['An authentication template has exactly one button, of type OTP.'] };
  }
  const errors = eachItem(buttons, (button, index) => {
    const problem = buttonPlaceProblem(buttons, index);
    if (problem) return { type: [problem] };
    if (button.type === 'OTP' && !isAuthentication) return { type: ['For authentication templates only.'] };
    return fieldErrors(button);
  });
  return errors && { buttons: errors };
}

/** What is wrong with a button being there at all. */
function buttonPlaceProblem(buttons: readonly Button[], index: number): string | undefined {
  const { type } = buttons[index]!;
  const before = buttons.slice(0, index).map((other) => other.type);
  const most = mostOf[type];
  if (most !== undefined && before.filter((other) => other === type).length >= most) {
    return `At most ${most} of this type ${most === 1 ? 'is' : 'are'} allowed.`;
  }
  const isApart = type === 'QUICK_REPLY' && before.includes(type) && before.at(-1) !== type;
  return isApart ? 'Quick replies must stand together.' : undefined;
}

function fieldErrors(button: Button): FieldErrors | undefined {
  switch (button.type) {
    case 'URL':
      return urlErrors(button);
    case 'OTP':
      return button.otp_type !== 'COPY_CODE' && !button.supported_apps
        ? { supported_apps: ['This field is required.'] }
        : undefined;
    case 'FLOW': {
      const given = [button.flow_id, button.flow_name, button.flow_json].filter((value) => value !== undefined);
      return given.length === 1 ? undefined : { flow_id: ['Give one of flow_id, flow_name and flow_json.'] };
    }
    default:
      return undefined;
  }
}

function urlErrors({ url, example }: Extract<Button, { type: 'URL' }>): FieldErrors | undefined {
  const variables = variablesOf(url);
  const isWhole = variables.length === 0 || (variables.length === 1 && variables[0] === '1' && url.endsWith('}}'));
  if (!isWhole) return { url: ['It may end in one variable, {{1}}, and have no other.'] };
  if (!URL.canParse(url.replace(/\{\{.*$/, ''))) return { url: ['Enter a valid URL.'] };
  return variables.length === 1 && !example ? { example: ['Give an example of the whole address.'] } : undefined;
}

const mostCharacters = 160;

/** Cards are made alike: the same kind of header, the same buttons, a text in all of them or in none. */
function carouselErrors({ cards }: Part<'CAROUSEL'>, definition: Definition): FieldErrors | undefined {
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

/** A header that is a file; the platform wants a sample of it. */
export type FileHeader = Extract<Part<'HEADER'>, { format: 'IMAGE' | 'VIDEO' | 'DOCUMENT' }>;

function fileErrors({ example, media_uuid }: FileHeader): FieldErrors | undefined {
  if (media_uuid !== undefined && example) return { media_uuid: ['Give either this or an example.'] };
  return media_uuid === undefined && !example
    ? { media_uuid: ['Give a file, or an example with its handle.'] }
    : undefined;
}

/** The errors of a list, one entry per item; undefined when no item has any. */
export function eachItem<T>(
  items: readonly T[],
  check: (item: T, index: number) => FieldErrors | undefined,
): FieldErrors[] | undefined {
  const errors = items.map(check);
  return errors.some((found) => found !== undefined) ? errors.map((found) => found ?? {}) : undefined;
}

/** Errors of a field, where there are any. */
export const under = (field: string, errors: FieldErrors[string] | undefined): FieldErrors | undefined =>
  errors && { [field]: errors };
