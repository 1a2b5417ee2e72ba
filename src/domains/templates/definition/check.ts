import type { FieldErrors } from '../../../platform/errors.ts';
import { buttonErrors } from './buttons.ts';
import { carouselErrors } from './carousel.ts';
import { eachItem, under } from './each-item.ts';
import { fileErrors } from './header-file.ts';
import type { Component, Definition, Part } from './schemas.ts';
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
