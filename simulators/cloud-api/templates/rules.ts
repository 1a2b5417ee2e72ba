import { type Fields, invalid } from '../graph/checks.ts';
import { GraphError } from '../graph/errors.ts';
import { isAuthentication, part, type TemplateButton, type TemplateComponent, variablesOf } from './parts.ts';

const languages = new Set(
  (
    'af sq ar ar_EG ar_AE ar_LB ar_MA ar_QA az be_BY bn bn_IN bg ca zh_CN zh_HK zh_TW hr cs da prs_AF nl nl_BE en en_GB ' +
    'en_US en_AE en_AU en_CA en_GH en_IE en_IN en_JM en_MY en_NZ en_QA en_SG en_UG en_ZA et fil fi fr fr_BE fr_CA fr_CH ' +
    'fr_CI fr_MA ka de de_AT de_CH el gu ha he hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb ps_AF fa pl ' +
    'pt_BR pt_PT pa ro ru sr si_LK sk sl es es_AR es_CL es_CO es_CR es_DO es_EC es_HN es_MX es_PA es_PE es_ES es_UY sw sv ' +
    'ta te th tr uk ur uz vi zu'
  ).split(' '),
);
const categories = ['AUTHENTICATION', 'MARKETING', 'UTILITY'];
const componentTypes = [
  'HEADER',
  'BODY',
  'FOOTER',
  'BUTTONS',
  'CAROUSEL',
  'LIMITED_TIME_OFFER',
  'CALL_PERMISSION_REQUEST',
];
const headerFormats = ['TEXT', 'IMAGE', 'VIDEO', 'GIF', 'DOCUMENT', 'LOCATION', 'PRODUCT'];
const buttonTypes =
  'QUICK_REPLY URL PHONE_NUMBER COPY_CODE OTP FLOW MPM SPM CATALOG VOICE_CALL REQUEST_CONTACT_INFO'.split(' ');
const ttlRanges: Readonly<Record<string, readonly [number, number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
};

const refuse = (subcode: number, userTitle: string, userMessage: string): GraphError =>
  new GraphError(100, undefined, { message: 'Invalid parameter', subcode, userTitle, userMessage });

/** What a creation or edit may say, after its own shape was read. */
export interface TemplateDraft {
  name: string;
  language: string;
  category: string;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  components: TemplateComponent[];
  ttlSeconds: number | null;
}

/** Reads the body of a creation; throws the platform's refusal. */
export function readDraft(body: Fields, handles: ReadonlyMap<string, string>): TemplateDraft {
  const { name, language, category, components, parameter_format: format = 'POSITIONAL' } = body;
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) {
    throw invalid('Param name must be 1 to 512 lower-case letters, digits and underscores.');
  }
  if (typeof language !== 'string' || !languages.has(language)) {
    throw invalid(`Param language must be one of the supported languages - got "${String(language)}".`);
  }
  const given = String(category ?? '').toUpperCase();
  if (!categories.includes(given)) throw invalid(`Param category must be one of {${categories.join(', ')}}.`);
  if (!Array.isArray(components)) throw invalid('The parameter components is required.');
  if (format !== 'POSITIONAL' && format !== 'NAMED')
    throw invalid('Param parameter_format must be POSITIONAL or NAMED.');
  const ttlSeconds = readTtl(body['message_send_ttl_seconds'], given);
  checkComponents(components as TemplateComponent[], format, given, handles);
  return {
    name,
    language,
    category: given,
    parameterFormat: format,
    components: storedForm(components, given),
    ttlSeconds,
  };
}

export function readTtl(value: unknown, category: string): number | null {
  if (value === undefined || value === null) return null;
  const [min, max] = ttlRanges[category]!;
  const ttl = Number(value);
  const forever = ttl === -1 && category !== 'MARKETING';
  if (!forever && !(ttl >= min && ttl <= max)) {
    throw invalid(`Param message_send_ttl_seconds must be from ${min} to ${max} for category ${category}.`);
  }
  return ttl;
}

/** Throws the refusal that fits the first broken rule. */
export function checkComponents(
  components: readonly TemplateComponent[],
  format: 'POSITIONAL' | 'NAMED',
  category: string,
  handles: ReadonlyMap<string, string>,
): void {
  for (const component of components) {
    const type = String(component?.type ?? '').toUpperCase();
    if (!componentTypes.includes(type)) throw invalid(`Component type must be one of {${componentTypes.join(', ')}}.`);
  }
  const body = part(components, 'BODY');
  if (!body) throw refuse(2388072, 'Body is missing', 'A message template needs a body component.');
  checkHeader(part(components, 'HEADER'), format, handles);
  if (!isAuthentication(category)) checkBody(body, format, part(components, 'LIMITED_TIME_OFFER') ? 600 : 1024);
  const footer = part(components, 'FOOTER');
  if (footer?.text && variablesOf(footer.text).length > 0) {
    throw refuse(2388073, 'Footer has variables', "The footer of a message template can't have variables.");
  }
  if ((footer?.text?.length ?? 0) > 60)
    throw refuse(2388040, 'Footer is too long', 'The footer is limited to 60 characters.');
  checkButtons(part(components, 'BUTTONS')?.buttons ?? [], category);
  checkCards(part(components, 'CAROUSEL'), format, category, handles);
}

function checkHeader(
  header: TemplateComponent | undefined,
  format: string,
  handles: ReadonlyMap<string, string>,
): void {
  if (!header) return;
  const kind = String(header.format ?? '').toUpperCase();
  if (!headerFormats.includes(kind)) throw invalid(`Header format must be one of {${headerFormats.join(', ')}}.`);
  if (kind === 'TEXT') {
    if (!header.text) throw refuse(2388047, 'Header is missing text', 'A text header needs a text.');
    if (header.text.length > 60) throw refuse(2388040, 'Header is too long', 'The header is limited to 60 characters.');
    const variables = variablesOf(header.text);
    if (variables.length > 1) throw refuse(2388047, 'Header has too many variables', 'A header can have one variable.');
    const example = header.example?.[format === 'NAMED' ? 'header_text_named_params' : 'header_text'];
    if (variables.length === 1 && !Array.isArray(example)) {
      throw refuse(2388047, 'Header example is missing', 'A header with a variable needs an example.');
    }
  } else if (['IMAGE', 'VIDEO', 'GIF', 'DOCUMENT'].includes(kind)) {
    const handle = (header.example?.['header_handle'] as unknown[] | undefined)?.[0];
    if (typeof handle !== 'string' || !handles.has(handle)) {
      throw refuse(2388047, 'Header sample is missing', 'A media header needs the handle of an uploaded sample.');
    }
  }
}

function checkBody(body: TemplateComponent, format: string, max: number): void {
  const text = body.text ?? '';
  if (text === '') throw refuse(2388072, 'Body is missing text', 'The body of a message template needs a text.');
  if (text.length > max) throw refuse(2388040, 'Body is too long', `The body is limited to ${max} characters.`);
  const variables = variablesOf(text);
  const names = new Set(variables);
  const legal = format === 'NAMED' ? /^[a-z][a-z0-9_]*$/ : /^[1-9]\d*$/;
  const inOrder = format === 'NAMED' || [...names].every((name, position) => name === String(position + 1));
  if (!inOrder || variables.some((name) => !legal.test(name))) {
    throw refuse(2388072, 'Body variables are wrong', 'Variables are {{1}}, {{2}} … in order, or lower-case names.');
  }
  if (/^\s*\{\{/.test(text) || /\}\}\s*$/.test(text)) {
    throw refuse(2388299, 'Variable at start or end', "Variables can't be at the start or end of the template.");
  }
  const words = text
    .replace(/\{\{[^{}]*\}\}/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (names.size > 0 && words.length < 2 * names.size) {
    throw refuse(2388293, 'Too many variables', 'This template has too many variables for its length.');
  }
  const example = body.example?.[format === 'NAMED' ? 'body_text_named_params' : 'body_text'];
  const examples = format === 'NAMED' || !Array.isArray(example) ? example : (example[0] as unknown);
  if (names.size > 0 && (!Array.isArray(examples) || examples.length !== names.size)) {
    throw refuse(2388072, 'Body examples are missing', 'Every variable of the body needs an example.');
  }
}

function checkButtons(buttons: readonly TemplateButton[], category: string): void {
  const kinds = buttons.map(({ type }) => String(type).toUpperCase());
  const count = (kind: string) => kinds.filter((other) => other === kind).length;
  const unknown = kinds.find((kind) => !buttonTypes.includes(kind));
  if (unknown !== undefined)
    throw invalid(`Button type must be one of {${buttonTypes.join(', ')}} - got "${unknown}".`);
  if (buttons.length > 10) throw invalid('A template can have at most 10 buttons.');
  if (count('URL') > 2) throw invalid('A template can have at most 2 URL buttons.');
  if (count('PHONE_NUMBER') > 1) throw invalid('A template can have at most 1 phone number button.');
  if (count('COPY_CODE') > 1) throw invalid('A template can have at most 1 copy code button.');
  const [first, last] = [kinds.indexOf('QUICK_REPLY'), kinds.lastIndexOf('QUICK_REPLY')];
  if (first >= 0 && last - first + 1 !== count('QUICK_REPLY')) throw invalid('Quick replies must stand together.');
  if (isAuthentication(category) && (buttons.length !== 1 || kinds[0] !== 'OTP')) {
    throw invalid('An authentication template has exactly one button, of type OTP.');
  }
  for (const button of buttons) checkButton(button);
}

function checkButton({ type, text, url, example, phone_number, otp_type }: TemplateButton): void {
  const kind = type.toUpperCase();
  if (kind !== 'OTP' && kind !== 'COPY_CODE' && (typeof text !== 'string' || text.length < 1 || text.length > 25)) {
    throw invalid('A button text must have 1 to 25 characters.');
  }
  if (kind === 'URL') {
    if (typeof url !== 'string' || url.length > 2000 || !/^https?:\/\//.test(url))
      throw invalid('Button url is not valid.');
    const variables = variablesOf(url).length;
    if (variables > 1 || (variables === 1 && !/\}\}$/.test(url)))
      throw invalid('A button url can end in one variable.');
    if (variables === 1 && !Array.isArray(example)) throw invalid('A button url with a variable needs an example.');
  }
  if (kind === 'PHONE_NUMBER' && !/^\+?\d{6,20}$/.test(String(phone_number)))
    throw invalid('Button phone_number is not valid.');
  if (kind === 'OTP' && !['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].includes(String(otp_type))) {
    throw invalid('Button otp_type must be one of {COPY_CODE, ONE_TAP, ZERO_TAP}.');
  }
}

function checkCards(
  carousel: TemplateComponent | undefined,
  format: 'POSITIONAL' | 'NAMED',
  category: string,
  handles: ReadonlyMap<string, string>,
): void {
  if (!carousel) return;
  const cards = carousel.cards ?? [];
  if (cards.length < 2 || cards.length > 10) throw invalid('A carousel has 2 to 10 cards.');
  for (const { components } of cards) {
    checkHeader(part(components, 'HEADER'), format, handles);
    const body = part(components, 'BODY');
    if (body) checkBody(body, format, 160);
    checkButtons(part(components, 'BUTTONS')?.buttons ?? [], category);
  }
}

/** As it is read back: authentication templates get the platform's words, and their button shows as a URL. */
export function storedForm(components: TemplateComponent[], category: string): TemplateComponent[] {
  if (!isAuthentication(category)) return components;
  return components.map((component) => {
    if (component.type.toUpperCase() === 'BODY') {
      return { ...component, text: '*{{1}}* is your verification code.', example: { body_text: [['123456']] } };
    }
    if (component.type.toUpperCase() === 'FOOTER' && component['code_expiration_minutes'] !== undefined) {
      return { ...component, text: `This code expires in ${component['code_expiration_minutes']} minutes.` };
    }
    if (component.type.toUpperCase() !== 'BUTTONS') return component;
    const otp = component.buttons![0]!;
    const url = `https://www.whatsapp.com/otp/code/?otp_type=${otp.otp_type}&code=otp{{1}}`;
    return {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: otp.text ?? 'Copy code', url, example: [`${url}123456`] }],
    };
  });
}
