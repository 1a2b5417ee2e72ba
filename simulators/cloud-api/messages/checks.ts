import {
  anyObject,
  boolean,
  both,
  type Check,
  exactlyOne,
  type Fields,
  invalid,
  link,
  list,
  matching,
  number,
  oneOf,
  record,
  string,
} from '../graph/checks.ts';
import { GraphError } from '../graph/errors.ts';
import { template } from '../templates/checks.ts';
import { interactive } from './interactive-checks.ts';

const asset = (more: Record<string, Check> = {}): Check =>
  both(record({}, { id: string(), link, ...more }), exactlyOne('id', 'link'));

const caption = string(1024);
const text = string(1024);

const contact = record(
  {
    name: record(
      { formatted_name: text },
      { first_name: text, last_name: text, middle_name: text, suffix: text, prefix: text },
    ),
  },
  {
    phones: list(record({}, { phone: text, type: text, wa_id: text }), 0, 100),
    emails: list(record({}, { email: text, type: text }), 0, 100),
    urls: list(record({}, { url: text, type: text }), 0, 100),
    addresses: list(
      record({}, { street: text, city: text, state: text, zip: text, country: text, country_code: text, type: text }),
      0,
      100,
    ),
    org: record({}, { company: text, department: text, title: text }),
    birthday: matching(/^\d{4}-\d\d-\d\d$/, 'a date as YYYY-MM-DD'),
  },
);

/** What each message type may hold, under the key of its name. */
const contents: Readonly<Record<string, Check>> = {
  text: record({ body: string(4096) }, { preview_url: boolean }),
  image: asset({ caption }),
  video: asset({ caption }),
  document: asset({ caption, filename: string(240) }),
  audio: asset({ voice: boolean }),
  sticker: asset(),
  location: record(
    { latitude: number(-90, 90), longitude: number(-180, 180) },
    { name: string(1000), address: string(1000) },
  ),
  contacts: list(contact, 1, 257),
  reaction: record({ message_id: string(), emoji: string(64, 0) }),
  interactive,
  template,
};

const envelope: Record<string, Check> = {
  recipient_type: oneOf('individual', 'group'),
  to: string(256),
  recipient: matching(/^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/, 'a business-scoped user id'),
  type: string(64),
  context: record({ message_id: string() }),
  biz_opaque_callback_data: string(512),
  recipient_identity_key_hash: string(),
  messaging_account_id: string(),
};

/** Checks a body of `POST /{phone-number-id}/messages` that sends something, and says of which type it is. */
export function checkMessage(body: Fields): string {
  const type = body['type'] ?? 'text';
  const content = typeof type === 'string' ? contents[type] : undefined;
  if (!content) {
    throw new GraphError(131051, `Message type "${String(type)}" is not one of {${Object.keys(contents).join(', ')}}.`);
  }
  const product = { messaging_product: checkProduct };
  record({ ...product, [type as string]: content }, envelope)(body, '');
  if (body['to'] === undefined && body['recipient'] === undefined) {
    throw invalid('The parameter to is required.', 131008);
  }
  if (type === 'reaction' && body['context'] !== undefined) {
    throw invalid('Param context is not allowed for message type reaction.');
  }
  return type as string;
}

/** The one parameter whose absence is an error of Graph itself. */
const checkProduct: Check = (value) => {
  if (value !== 'whatsapp') throw invalid('Param messaging_product must be one of {WHATSAPP}.');
};

/** A read receipt, with or without the typing indicator. */
export const checkReceipt: Check = record(
  { messaging_product: checkProduct, status: oneOf('read'), message_id: string() },
  { typing_indicator: record({ type: oneOf('text') }) },
);

/** Throws unless the body is an object that names the product. */
export function checkEnvelope(body: unknown): asserts body is Fields {
  anyObject(body, 'body');
  if ((body as Fields)['messaging_product'] === undefined) {
    throw new GraphError(100, undefined, { message: '(#100) The parameter messaging_product is required.' });
  }
}
