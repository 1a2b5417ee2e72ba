import { type Static, Type } from 'typebox';
import { orderedBy, pageQuery } from '../../platform/db/page.ts';
import { PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { searchQuery } from '../directory/index.ts';
import { Components } from './definition/schemas.ts';
import { LanguageCode } from './fill/message-components.ts';
import type { TemplateRow } from './queries.ts';

/** What templates are called on the timeline. */
export const subjectType = 'template';

const Category = Type.Enum(['AUTHENTICATION', 'MARKETING', 'UTILITY']);
const ParameterFormat = Type.Enum(['POSITIONAL', 'NAMED'], {
  default: 'POSITIONAL',
  description: 'Whether variables are `{{1}}`, `{{2}}` or `{{first_name}}`.',
});
const Name = Type.String({
  pattern: '^[a-z0-9_]{1,512}$',
  'x-message': 'Enter up to 512 lower-case letters, digits and underscores.',
});

export const MessageTemplateCreate = Type.Object(
  {
    chatapp_number: Phone('The number it will be sent from.'),
    name: Name,
    language_code: LanguageCode,
    category: Category,
    parameter_format: Type.Optional(ParameterFormat),
    components: Components,
  },
  { title: 'MessageTemplateCreate' },
);
export type MessageTemplateCreate = Static<typeof MessageTemplateCreate>;

export const MessageTemplateUpdate = Type.Object(
  { category: Type.Optional(Category), components: Type.Optional(Components) },
  { title: 'MessageTemplateUpdate', description: 'Components replace those that are there, all of them.' },
);
export type MessageTemplateUpdate = Static<typeof MessageTemplateUpdate>;

export const MessageTemplate = Type.Object(
  {
    uuid: Uuid(),
    chatapp_number: Type.String(),
    name: Type.String(),
    language_code: Type.String(),
    category: nullable(
      Type.String({
        description: 'The platform may change it. null: known by its name alone, from a sandbox message.',
      }),
    ),
    parameter_format: Type.String(),
    components: Type.Array(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: "As given; once the platform lists it, the platform's.",
      }),
    ),
    status: Type.String({
      description:
        'PENDING, APPROVED, REJECTED, PAUSED, DISABLED, DELETED, or another of the platform. Only APPROVED ones are sent.',
    }),
    quality: Type.String({ description: 'How people take it: GREEN, YELLOW, RED or UNKNOWN.' }),
    rejected_reason: Type.String({ description: "The platform's words; empty: there are none." }),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'MessageTemplate' },
);
export const MessageTemplatePage = PageOf(MessageTemplate, 'MessageTemplatePage');

export const TemplateQuery = Type.Object({
  ...pageQuery,
  ...orderedBy('name'),
  chatapp_number: Type.Optional(Phone()),
  name: Type.Optional(Type.String({ maxLength: 512 })),
  status: Type.Optional(Type.String({ maxLength: 50 })),
  category: Type.Optional(Category),
  language_code: Type.Optional(Type.String({ maxLength: 20 })),
  q: Type.Optional(Type.String({ maxLength: 512, description: 'Names that begin with this.' })),
  ...searchQuery,
});
export type TemplateQuery = Static<typeof TemplateQuery>;

export const TemplateSync = Type.Object(
  { chatapp_number: Type.Optional(Phone('Only of this number; left out: of all.')) },
  { title: 'TemplateSync' },
);
export const TemplateSyncStarted = Type.Object(
  { chatapp_accounts: Type.Integer({ description: 'How many chat-app accounts have templates at a platform.' }) },
  { title: 'TemplateSyncStarted' },
);

export const presentTemplate = (row: TemplateRow) => ({
  uuid: row.uuid,
  chatapp_number: row.chatapp_number,
  name: row.name,
  language_code: row.language_code,
  category: row.category,
  parameter_format: row.parameter_format,
  components: row.components,
  status: row.status,
  quality: row.quality,
  rejected_reason: row.rejected_reason,
  created: row.created,
  modified: row.modified,
});
