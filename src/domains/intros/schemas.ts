import { type Static, Type } from 'typebox';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable, record } from '../../platform/http/validation/index.ts';
import { Skill, Strategy } from '../agents/index.ts';
import { SmsSender } from '../sms/index.ts';
import { TemplateComponents } from '../templates/index.ts';
import type { IntroRow } from './queries.ts';
import { NoReplyAlt, ReplyAlt, ReplyAltOrNone, ReplyType } from './reply-schemas.ts';

const TemplateText = (description: string) => Type.String({ maxLength: 4096, description });
const TemplateName = (description: string) => Type.String({ maxLength: 512, description });
const PhoneOrNone = (description: string) => Type.Union([Phone(), Type.Literal('')], { description });

const Variables = record(Type.String({ maxLength: 4096 }), {
  maxProperties: 200,
  description: 'Values for `{{Variable}}` placeholders.',
});

/** Fields that are the same in the request and in the response. */
const sameFields = {
  reference_id: nullable(Type.String({ minLength: 1, maxLength: 255 })),
  expected_message_template: TemplateText('What the A party is expected to write; the link fills it in.'),
  reply_message_template: TemplateText('The reply, or the caption of an IMAGE reply.'),
  reply_message_file_url: nullable(Type.String({ format: 'uri', maxLength: 2048 })),
  reply_type: ReplyType,
  reply_data: FreeForm({
    description: 'The interactive object of an INTERACTIVE, LIST, CTA, FLOW or QUICK_REPLY reply.',
  }),
  intro_message_template: TemplateText('What the B party writes to the A party.'),
  notify_type: nullable(Type.Enum(['CHATAPP', 'SMS'], { description: 'null: the B party is not notified.' })),
  bparty_expiry_link: Type.Boolean({ description: "Whether the B party's link works only once." }),
  extra_variable_data: Variables,
  meta_data: FreeForm(),
};

const seconds = (description: string) => Type.Integer({ minimum: 0, maximum: 86_400, description });

const ButtonAction = Type.Object(
  {
    action: Type.Enum(['NOTIFY', 'START', 'END'], {
      description: 'NOTIFY: the B party is told now. START: another chat intro starts. END: the session ends.',
    }),
    chat_intro: Type.Optional(Uuid('The intro that START starts; of the same number.')),
  },
  { title: 'ButtonAction' },
);

/** Fields that the created intro, whose fields the interface fixes, does not show. */
const laterFields = {
  notify_delay: seconds('Seconds from the start to the notification.'),
  notify_sms_from: Type.Union([SmsSender, Type.Literal('')], { description: 'Whom a notification by SMS comes from.' }),
  notify_sms_template: TemplateText(
    'The text of a notification by SMS. With `notify_type` CHATAPP it is sent when the message failed or brought no reaction.',
  ),
  notify_agents: nullable(
    Type.Object(
      { skill: Skill, strategy: Type.Optional(Strategy) },
      {
        title: 'NotifyAgents',
        description: 'Agents who are notified, one after the other, after the B party; null: nobody is.',
      },
    ),
  ),
  notify_timeout: seconds(
    'Seconds without a reaction after which the next in the chain is notified; 0: only after a failure.',
  ),
  notify_reminder: seconds('Seconds without a reaction after which the same recipient is reminded; 0: never.'),
  link_code: Type.Enum(['auto', 'always', 'never'], {
    description:
      'Whether the text of the link ends with the code of the intro. auto: if another intro of the number expects the same text.',
  }),
  button_actions: record(ButtonAction, {
    maxProperties: 50,
    description: 'What a tap does, by the id of the button or row.',
  }),
};

const TemplateParams = Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100 });

const requestFields = {
  ...sameFields,
  ...laterFields,
  reply_alt: ReplyAltOrNone,
  notify_to_phone_number: PhoneOrNone('Whom the notification goes to.'),
  notify_chatapp_template_name: TemplateName('The template of the notification.'),
  notify_chatapp_template_params: TemplateParams,
  notify_chatapp_template_components: TemplateComponents,
  aparty_notify_chatapp_template_name: TemplateName('The template sent to the A party.'),
  aparty_notify_chatapp_template_components: TemplateComponents,
  intro_bparty_number: PhoneOrNone('Whom the A party can connect to directly.'),
  intro_message_aparty: TemplateText('What the A party writes when connecting directly.'),
};
const number = { chatapp_number: Phone('The chat-app account the intro belongs to.') };
const given = Type.Partial(Type.Object(requestFields)).properties;

const WholeIntro = Type.Object({ ...number, ...requestFields });
/** A whole intro, in the words of the request. */
export type IntroFields = Static<typeof WholeIntro>;

const NotifyData = Type.Object({
  to_phone_number: Type.String(),
  chatapp_template_name: Type.String(),
  chatapp_template_params: TemplateParams,
  chatapp_template_components: TemplateComponents,
});
const ApartyNotifyData = Type.Object({
  chatapp_template_name: Type.String(),
  chatapp_template_components: TemplateComponents,
});
const ApartyIntroData = Type.Object({ intro_bparty_number: Type.String(), intro_message_aparty: Type.String() });

/** The response's groups, which a request may give as it got them. */
const groups = Type.Partial(
  Type.Object({
    reply_alt_data: Type.Union([ReplyAlt, NoReplyAlt], {
      description: 'The same as `reply_alt`, as the response names it.',
    }),
    notify_data: Type.Partial(NotifyData, { description: 'The `notify_*` fields, as the response groups them.' }),
    aparty_notify_data: Type.Partial(ApartyNotifyData, {
      description: 'The `aparty_notify_*` fields, as the response groups them.',
    }),
    aparty_intro_data: Type.Partial(ApartyIntroData, {
      description: '`intro_bparty_number` and `intro_message_aparty`, as the response groups them.',
    }),
  }),
).properties;

export const OnDuplicate = Type.Enum(['create', 'refuse', 'update'], {
  description:
    'What becomes of it if the number has an intro with this `reference_id`. create: there are two. refuse: 400. update: that one is replaced.',
});
export type OnDuplicate = Static<typeof OnDuplicate>;

export const ChatIntroCreate = Type.Object(
  { ...number, ...given, ...groups },
  {
    title: 'ChatIntroCreate',
    description: 'An answer of GET can be given as it is. Where a field and its group are given, the field counts.',
  },
);
export type ChatIntroCreate = Static<typeof ChatIntroCreate>;

export const ChatIntroSave = Type.Object(
  {
    ...ChatIntroCreate.properties,
    on_duplicate: Type.Optional(Type.Unsafe<OnDuplicate>({ ...OnDuplicate, default: 'create' })),
  },
  { title: 'ChatIntroSave' },
);

export const ChatIntroPatch = Type.Partial(ChatIntroCreate, { title: 'ChatIntroPatch' });
export type ChatIntroPatch = Static<typeof ChatIntroPatch>;

/** What the database keeps as JSON. */
export interface StoredJson {
  reply_data: IntroFields['reply_data'];
  reply_alt_data: IntroFields['reply_alt'];
  notify_data: Static<typeof NotifyData>;
  aparty_notify_data: Static<typeof ApartyNotifyData>;
  aparty_intro_data: Static<typeof ApartyIntroData>;
  extra_variable_data: IntroFields['extra_variable_data'];
  meta_data: IntroFields['meta_data'];
  button_actions: IntroFields['button_actions'];
  notify_chain: Pick<IntroFields, ChainField>;
}
type ChainField = 'notify_sms_from' | 'notify_sms_template' | 'notify_agents' | 'notify_timeout' | 'notify_reminder';

const introFields = {
  uuid: Uuid(),
  chatapp_number: Type.String(),
  chat_link: Type.String({ examples: ['../l/k7m2q9xw4t'], description: 'Relative to the address of the API.' }),
  chat_url: Type.String({
    examples: ['https://parley.example.com/l/k7m2q9xw4t'],
    description: 'The same link, absolute: by `PUBLIC_URL`, else by the address that was called.',
  }),
  ...sameFields,
  reply_alt_data: ReplyAltOrNone,
  notify_data: Type.Partial(NotifyData, { description: 'Empty when `notify_type` is null.' }),
  aparty_notify_data: Type.Partial(ApartyNotifyData, { description: 'Empty when not used.' }),
  aparty_intro_data: Type.Partial(ApartyIntroData, { description: 'Empty when not used.' }),
  created: Timestamp(),
  modified: Timestamp(),
};
export const ChatIntro = Type.Object(introFields, { title: 'ChatIntro' });
export const StoredChatIntro = Type.Object({ ...introFields, ...laterFields }, { title: 'StoredChatIntro' });
export const ChatIntroPage = PageOf(ChatIntro, 'ChatIntroPage');

export const presentIntro = (row: IntroRow, origin: string) => ({
  uuid: row.uuid,
  chatapp_number: row.chatapp_number,
  chat_link: `../l/${row.shortcode}`,
  chat_url: `${origin}/l/${row.shortcode}`,
  reference_id: row.reference_id,
  expected_message_template: row.expected_message_template,
  reply_message_template: row.reply_message_template,
  reply_message_file_url: row.reply_message_file_url,
  reply_type: row.reply_type,
  reply_data: row.reply_data,
  reply_alt_data: row.reply_alt_data,
  intro_message_template: row.intro_message_template,
  notify_type: row.notify_type,
  notify_data: row.notify_type === null ? {} : row.notify_data,
  aparty_notify_data: isUnused(row.aparty_notify_data) ? {} : row.aparty_notify_data,
  aparty_intro_data: isUnused(row.aparty_intro_data) ? {} : row.aparty_intro_data,
  bparty_expiry_link: row.bparty_expiry_link,
  extra_variable_data: row.extra_variable_data,
  meta_data: row.meta_data,
  created: row.created,
  modified: row.modified,
});

/** One that is there already; the fields of the created one are fixed by the interface. */
export const presentStoredIntro = (row: IntroRow, origin: string) => ({
  ...presentIntro(row, origin),
  notify_delay: row.notify_delay,
  ...chainOf(row),
  link_code: row.link_code,
  button_actions: row.button_actions,
});

/** The chain of notifications; an intro from before there were chains has none. */
export const chainOf = ({ notify_chain }: Pick<IntroRow, 'notify_chain'>): StoredJson['notify_chain'] => ({
  ...noChain,
  ...notify_chain,
});
export const noChain: StoredJson['notify_chain'] = {
  notify_sms_from: '',
  notify_sms_template: '',
  notify_agents: null,
  notify_timeout: 0,
  notify_reminder: 0,
};

/** Nothing but empty texts and empty lists. */
const isUnused = (data: Record<string, string | unknown[]>): boolean =>
  Object.values(data).every((value) => value.length === 0);
