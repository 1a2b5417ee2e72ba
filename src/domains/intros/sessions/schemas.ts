import { type Static, Type } from 'typebox';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable, record } from '../../../platform/http/validation/index.ts';
import type { SessionRow } from './queries.ts';
import { sessionStatuses } from './steps.ts';

export const ChatIntroStart = Type.Object(
  {
    aparty_number: Phone('The person who is introduced.'),
    aparty_name: Type.Optional(Type.String({ maxLength: 255 })),
    variables: Type.Optional(
      record(Type.String({ maxLength: 4096 }), {
        maxProperties: 200,
        description: 'Values for placeholders; they count for more than those of the intro.',
      }),
    ),
  },
  { title: 'ChatIntroStart' },
);
export type ChatIntroStart = Static<typeof ChatIntroStart>;

const Link = nullable(Type.String({ description: 'Absolute.' }));

export const ChatIntroSession = Type.Object(
  {
    uuid: Uuid(),
    chat_intro: Uuid(),
    status: Type.Enum([...sessionStatuses]),
    open: Type.Boolean({ description: 'false after seven quiet days, and once it was closed.' }),
    aparty_number: Type.String(),
    aparty_name: Type.String(),
    variables: FreeForm({ description: 'Answers of flows and buttons, and what the start gave.' }),
    intro_chat_shortcode: Type.String(),
    intro_chat_link: Type.String({ description: "B's link to the chat with A; absolute." }),
    intro_chat_link_aparty_shortcode: nullable(Type.String()),
    intro_chat_link_aparty: Link,
    reply_message: nullable(Uuid()),
    notify_message: nullable(Uuid()),
    aparty_notify_message: nullable(Uuid()),
    started: Timestamp('By the time of the carrier, as the moments below.'),
    replied: nullable(Timestamp()),
    notify_due: nullable(Timestamp('When the next notification or reminder is due.')),
    notified: nullable(Timestamp()),
    notify_failed: nullable(Timestamp('When a notification last failed.')),
    reacted: nullable(Timestamp('When somebody who was notified first wrote or tapped a button.')),
    connected: nullable(Timestamp('When B opened the link.')),
    aparty_connected: nullable(Timestamp('When A opened the link to B.')),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'ChatIntroSession' },
);
export const ChatIntroSessionPage = PageOf(ChatIntroSession, 'ChatIntroSessionPage');

export const presentSession = (row: SessionRow, origin: string) => ({
  uuid: row.uuid,
  chat_intro: row.chat_intro,
  status: row.status,
  open: row.open,
  aparty_number: row.aparty_number,
  aparty_name: row.aparty_name,
  variables: { ...row.variables.told, ...row.variables.given, ...row.variables.answers },
  intro_chat_shortcode: row.bparty_shortcode,
  intro_chat_link: `${origin}/l/${row.bparty_shortcode}`,
  intro_chat_link_aparty_shortcode: row.aparty_shortcode,
  intro_chat_link_aparty: row.aparty_shortcode && `${origin}/l/${row.aparty_shortcode}`,
  reply_message: row.reply_message,
  notify_message: row.notify_message,
  aparty_notify_message: row.aparty_message,
  started: row.started_at,
  replied: row.replied_at,
  notify_due: row.notify_due_at,
  notified: row.notified_at,
  notify_failed: row.notify_failed_at,
  reacted: row.reacted_at,
  connected: row.connected_at,
  aparty_connected: row.aparty_connected_at,
  created: row.created,
  modified: row.modified,
});
