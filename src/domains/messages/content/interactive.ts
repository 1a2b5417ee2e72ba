import { type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import type { FieldErrors } from '../../../platform/errors.ts';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { exactlyOne, has, record, tagged } from '../../../platform/http/validation/index.ts';
import { newCode } from '../../../platform/ids.ts';

/**
 * Interactive messages: quick reply, list, call to action, flow, location request. Limits are the platform's. Ids of buttons
 * and rows may be left out and are then made when the message is accepted.
 */

interface Reply {
  id?: string;
  title?: string;
}

/** Checked by the schemas below and passed on as it came. Only fields that the code reads are listed here. */
export interface Interactive {
  action: {
    buttons?: (Reply & { reply?: Reply })[];
    sections?: { rows: Reply[] }[];
    parameters?: { flow_action?: string; flow_action_payload?: object };
  };
}

const mostRows = 10;
const idLength = 10;

const text = (most: number) => Type.String({ minLength: 1, maxLength: most });
const optional = Type.Optional;

const file = Uuid('A file that was uploaded to `/v2/chatapp/template-media/`.');

/**
 * The kinds by `type`. `url` is the schema of a link: a stored intro may have placeholders in it, a message may not. `name` begins
 * the names of their headers.
 */
export function interactiveKinds(url: TSchema, name: string) {
  const media = (more: TProperties = {}) =>
    exactlyOne(
      ['url', 'link', 'id', 'media_uuid'],
      Type.Object({
        url: optional(url),
        link: optional(url),
        id: optional(text(256)),
        media_uuid: optional(file),
        ...more,
      }),
    );
  const ofText = { text: { text: text(60) } };
  const textHeader = tagged('type', {}, ofText, { title: `${name}TextHeader` });
  const ofAny = {
    ...ofText,
    image: { image: media() },
    video: { video: media() },
    document: { document: media({ filename: optional(text(240)) }) },
  };
  const anyHeader = tagged('type', {}, ofAny, { title: `${name}Header` });
  const link = Type.Object({ display_text: text(20), url });
  return {
    button: shape('button', Buttons, { header: anyHeader }),
    list: shape('list', List, { header: textHeader, body: 4096 }),
    cta_url: shape('cta_url', Type.Object({ name: nameOf('cta_url'), parameters: link }), { header: anyHeader }),
    flow: shape('flow', Type.Object({ name: nameOf('flow'), parameters: Flow }), { header: textHeader }),
    location_request_message: Type.Unsafe<Interactive>(
      Type.Object({
        type: nameOf('location_request_message'),
        body: Type.Object({ text: text(1024) }),
        action: Type.Object({ name: Type.Enum(['send_location']) }),
      }),
    ),
  };
}

function shape(
  kind: string,
  action: TSchema,
  { header, body = 1024 }: { header: TSchema; body?: number },
): TUnsafe<Interactive> {
  return Type.Unsafe(
    Type.Object({
      type: nameOf(kind),
      header: optional(header),
      body: Type.Object({ text: text(body) }),
      footer: optional(Type.Object({ text: text(60) })),
      action,
    }),
  );
}

function nameOf(only: string) {
  return optional(Type.Enum([only]));
}

/** A button in the API's short form, `{type, title, id?}`, or in the platform's own, `{type, reply: {id?, title}}`. */
const Button = Type.Unsafe({
  ...Type.Object({
    type: Type.Enum(['reply']),
    title: optional(text(20)),
    id: optional(text(256)),
    reply: optional(Type.Object({ id: optional(text(256)), title: text(20) })),
  }),
  if: has('reply'),
  else: has('title'),
});
const Buttons = Type.Object({ buttons: Type.Array(Button, { minItems: 1, maxItems: 3 }) });

const Row = Type.Object({
  id: optional(text(200)),
  title: text(24),
  description: optional(Type.String({ maxLength: 72 })),
});
const Section = Type.Object({ title: optional(text(24)), rows: Type.Array(Row, { minItems: 1, maxItems: mostRows }) });
const Sections = Type.Unsafe({
  ...Type.Array(Section, { minItems: 1, maxItems: 10 }),
  // Titles tell sections apart, once there are several.
  if: { minItems: 2 },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { items: has('title') },
});
const List = Type.Object({ button: text(20), sections: Sections });

const Flow = exactlyOne(
  ['flow_id', 'flow_name'],
  Type.Object({
    flow_id: optional(text(64)),
    flow_name: optional(text(200)),
    flow_cta: text(30),
    flow_message_version: optional(text(10)),
    mode: optional(Type.Enum(['draft', 'published'])),
    flow_token: optional(Type.String({ maxLength: 512 })),
    flow_action: optional(Type.Enum(['navigate', 'data_exchange'])),
    flow_action_payload: optional(
      Type.Object({ screen: optional(text(255)), data: optional(record(Type.Unknown(), { minProperties: 1 })) }),
    ),
  }),
);

/** What the schemas cannot say: the rules about several buttons, rows or fields at once. */
export function interactiveErrors({ action }: Interactive): FieldErrors | undefined {
  const { buttons = [], sections = [], parameters = {} } = action;
  const errors = buttonErrors(buttons) ?? sectionErrors(sections) ?? flowErrors(parameters);
  return errors && { action: errors };
}

function buttonErrors(buttons: NonNullable<Interactive['action']['buttons']>): FieldErrors | undefined {
  const replies = buttons.map((button) => button.reply ?? button);
  const at = (wrong: number, errors: FieldErrors) => ({
    buttons: atItem(buttons, wrong, buttons[wrong]?.reply ? { reply: errors } : errors),
  });
  const sameTitle = firstRepeat(replies, (one, other) => one.title === other.title);
  if (sameTitle >= 0) return at(sameTitle, { title: ['Another button has this title.'] });
  const sameId = firstRepeat(replies, isSameId);
  return sameId < 0 ? undefined : at(sameId, { id: ['Another button has this id.'] });
}

function sectionErrors(sections: NonNullable<Interactive['action']['sections']>): FieldErrors | undefined {
  const rows = sections.flatMap((section, place) => section.rows.map((row) => ({ id: row.id, row, place })));
  if (rows.length > mostRows) return { sections: [`Ensure the sections have no more than ${mostRows} rows in total.`] };
  const repeat = rows[firstRepeat(rows, isSameId)];
  if (!repeat) return undefined;
  const section = sections[repeat.place]!.rows;
  const errors = { rows: atItem(section, section.indexOf(repeat.row), { id: ['Another row has this id.'] }) };
  return { sections: atItem(sections, repeat.place, errors) };
}

const isSameId = (one: { id?: string | undefined }, other: { id?: string | undefined }): boolean =>
  one.id !== undefined && one.id === other.id;

function flowErrors({ flow_action, flow_action_payload }: NonNullable<Interactive['action']['parameters']>) {
  if (flow_action !== 'data_exchange' || flow_action_payload === undefined) return undefined;
  return { parameters: { flow_action_payload: ['Only a flow that navigates takes a payload.'] } };
}

/** The message with an id for each button and row that came without one. */
export function withIds<T extends Interactive>(interactive: T): T {
  const { buttons, sections } = interactive.action;
  if (!buttons && !sections) return interactive;
  const action = {
    ...interactive.action,
    ...(buttons && { buttons: buttons.map(buttonWithId) }),
    ...(sections && { sections: sections.map((section) => ({ ...section, rows: section.rows.map(withId) })) }),
  };
  return { ...interactive, action };
}

const withId = (reply: Reply): Reply => ({ ...reply, id: reply.id ?? newCode(idLength) });

const buttonWithId = (button: Reply & { reply?: Reply }) =>
  button.reply ? { ...button, reply: withId(button.reply) } : withId(button);

/** The first item that repeats an earlier one, -1 if none does. Lists are short: comparing them all costs less than a set. */
export function firstRepeat<T>(items: readonly T[], isSame: (one: T, other: T) => boolean): number {
  for (let later = 1; later < items.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) if (isSame(items[earlier]!, items[later]!)) return later;
  }
  return -1;
}

/** The errors of a list of which one item is wrong: one entry per item. */
export const atItem = (items: readonly unknown[], wrong: number, errors: FieldErrors): FieldErrors[] =>
  items.map((_, index) => (index === wrong ? errors : {}));
