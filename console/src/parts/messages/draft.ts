import { type Fields, inside, listOf, textOf } from '../../api/index.ts';
import {
  blankInteractive,
  blankTemplate,
  componentsOf,
  type InteractiveForm,
  interactiveFormOf,
  interactiveOf,
  shapeFor,
  type TemplateForm,
  templateFormOf,
} from '../writing/index.ts';
import { specialComponents } from './special-components.ts';
import type { Message, SendType } from './types.ts';
import type { Template } from './use-definitions.ts';
import { compact } from './use-senders.ts';

export interface Card {
  formatted_name: string;
  phone: string;
  email: string;
  company: string;
  /** What the form has no field for. */
  kept: Fields;
}

/** A message while it is written: the fields of every type, so that changing the type loses nothing. */
export interface Draft {
  chatapp_number: string;
  to_chatapp_number: string;
  type: SendType;
  text: { body: string; preview_url: boolean };
  media: { url: string; media_uuid: string; caption: string; filename: string };
  location: { latitude: number | string; longitude: number | string; name: string; address: string };
  contacts: Card[];
  reaction: { message_uuid: string; emoji: string };
  interactive: InteractiveForm;
  /** `isCode`: a one-time password, which goes into the body and into the button. */
  template: TemplateForm & { language: string; isCode: boolean };
  /** The message that it answers. */
  context: string;
  /** Wall time in the account's zone. */
  send_at: string;
  callback_url: string;
  meta_data: string;
}

export const blankCard = (): Card => ({ formatted_name: '', phone: '', email: '', company: '', kept: {} });

export const blankDraft = (given: Partial<Draft> = {}): Draft => ({
  chatapp_number: '',
  to_chatapp_number: '',
  type: 'TEXT',
  text: { body: '', preview_url: false },
  media: { url: '', media_uuid: '', caption: '', filename: '' },
  location: { latitude: '', longitude: '', name: '', address: '' },
  contacts: [blankCard()],
  reaction: { message_uuid: '', emoji: '' },
  interactive: blankInteractive(),
  template: { ...blankTemplate(), language: '', isCode: false },
  context: '',
  send_at: '',
  callback_url: '',
  meta_data: '',
  ...given,
});

/** A message that was sent, to be sent once more. */
export function draftOf(message: Message): Draft {
  const data = message.message_data as Fields;
  const { text, media, location, contacts, reaction, interactive } = data;
  const name = textOf(data['template_name']);
  const place = inside(location);
  const blank = blankDraft();
  return {
    ...blank,
    chatapp_number: compact(message.chatapp_number),
    to_chatapp_number: compact(message.to_chatapp_number),
    type: message.type as SendType,
    text: { ...blank.text, ...inside(text) },
    media: { ...blank.media, ...inside(media) },
    location: { ...blank.location, ...place },
    contacts: contacts ? listOf(contacts).map(cardOf) : blank.contacts,
    reaction: { ...blank.reaction, ...inside(reaction) },
    interactive: interactive ? interactiveFormOf(inside(interactive), 'INTERACTIVE') : blank.interactive,
    template: {
      ...templateFormOf(name, (data['components'] ?? []) as never),
      language: textOf(data['language_code']),
      isCode: false,
    },
    context: textOf((message.context_data as Fields)['message_uuid']),
    meta_data: Object.keys(message.meta_data).length > 0 ? JSON.stringify(message.meta_data, null, 2) : '',
  };
}

/** A template with places for all that it wants. */
export function templateFor(template: Template): Draft['template'] {
  const isCode = template.category === 'AUTHENTICATION';
  const shaped = shapeFor(blankTemplate(template.name), template);
  const header = template.components.map(inside).find(({ type }) => type === 'HEADER');
  // The sample it was approved with is a file to begin with.
  const sample = shaped.header.kind === 'none' || shaped.header.kind === 'text' ? '' : textOf(header?.['media_uuid']);
  return {
    ...shaped,
    header: { ...shaped.header, media_uuid: sample },
    ...(isCode && { body: [{ text: '', parameter_name: '' }], buttons: [] }),
    rest: specialComponents(template),
    language: template.language_code,
    isCode,
  };
}

function cardOf(card: Fields): Card {
  return {
    formatted_name: textOf(inside(card['name'])['formatted_name']),
    phone: textOf(listOf(card['phones'])[0]?.['phone']),
    email: textOf(listOf(card['emails'])[0]?.['email']),
    company: textOf(inside(card['org'])['company']),
    kept: card,
  };
}

const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

function cardFor({ formatted_name, phone, email, company, kept }: Card): Fields {
  const firstOf = (name: string, value: Fields): Fields => {
    const [first, ...others] = listOf(kept[name]);
    const all = [...(Object.values(value)[0] ? [{ ...first, ...value }] : []), ...others];
    return all.length > 0 ? { [name]: all } : {};
  };
  const { phones, emails, org, name, ...rest } = kept;
  return {
    ...rest,
    name: { ...inside(name), formatted_name },
    ...firstOf('phones', { phone }),
    ...firstOf('emails', { email }),
    ...(company && { org: { ...inside(org), company } }),
  };
}

/** The content under the name that the type has for it. */
export function contentOf(draft: Draft): Fields {
  switch (draft.type) {
    case 'TEXT':
      return { text: { body: draft.text.body, ...(draft.text.preview_url && { preview_url: true }) } };
    case 'LOCATION':
      return { location: given(draft.location) };
    case 'CONTACTS':
      return { contacts: draft.contacts.map(cardFor) };
    case 'REACTION':
      return { reaction: draft.reaction };
    case 'INTERACTIVE':
      return { interactive: interactiveOf(draft.interactive) };
    case 'TEMPLATE': {
      const { name, language, isCode, body } = draft.template;
      const button = { index: 0, sub_type: 'url' as const, text: body[0]?.text ?? '', kept: undefined };
      const components = componentsOf({ ...draft.template, ...(isCode && { buttons: [button] }) });
      return { template: { template_name: name, ...given({ language_code: language }), components } };
    }
    default:
      return { media: mediaOf(draft) };
  }
}

function mediaOf({ type, media: { url, media_uuid, caption, filename } }: Draft): Fields {
  const captioned = type !== 'AUDIO' && type !== 'STICKER';
  return {
    ...(media_uuid ? { media_uuid } : { url }),
    ...(captioned && given({ caption })),
    ...(type === 'DOCUMENT' && given({ filename })),
  };
}
