import type { Deps } from '../../deps.ts';
import { findSkilled } from '../agents/index.ts';
import { resolveSenders } from '../chatapp-accounts/index.ts';
import { findLanguages } from '../templates/index.ts';
import { fieldsOf } from './fields.ts';
import { linkText } from './match/keys.ts';
import type { IntroRow } from './queries.ts';
import type { IntroFields } from './schemas.ts';

/** What an intro was accepted with, and what will not work once somebody meets it. A sentence each, with the field first. */
export async function introWarnings(deps: Deps, accountId: string, row: IntroRow): Promise<string[]> {
  const fields = fieldsOf(row);
  return [
    ...linkWarnings(fields),
    ...notifyWarnings(fields),
    ...gapWarnings(fields),
    ...(await templateWarnings(deps, accountId, row, fields)),
    ...(await agentWarnings(deps, accountId, fields)),
  ];
}

function linkWarnings(fields: IntroFields): string[] {
  const { reference_id, link_code, intro_bparty_number } = fields;
  const isMute = linkText(fields).trim() === '' && reference_id === null && link_code !== 'always';
  const texts = JSON.stringify([
    fields.reply_message_template,
    fields.reply_data,
    fields.reply_alt,
    ...templatesOf(fields),
  ]);
  const needsNumber = intro_bparty_number === '' && /\{\{\s*intro_chat_link_aparty/i.test(texts);
  return [
    ...(isMute
      ? ['expected_message_template: The link brings no text, so nobody who opens it can be told from others.']
      : []),
    ...(needsNumber
      ? ['intro_bparty_number: A message has the link to the B party, and there is no number for it.']
      : []),
  ];
}

const linkToLead = /\{\{\s*intro_chat_(link|shortcode)\b(?!_)/i;

/** A notification without the link leaves the agent with nothing to tap. */
function notifyWarnings(fields: IntroFields): string[] {
  const { notify_type, notify_sms_template } = fields;
  if (notify_type === 'SMS' && notify_sms_template !== '' && !linkToLead.test(notify_sms_template)) {
    return ['notify_sms_template: It has no {{intro_chat_link}}, so the agent cannot open the chat with the lead.'];
  }
  if (notify_type !== 'CHATAPP' || fields.notify_chatapp_template_name === '') return [];
  const texts = JSON.stringify([fields.notify_chatapp_template_params, fields.notify_chatapp_template_components]);
  if (linkToLead.test(texts)) return [];
  return [
    'notify_chatapp_template_components: No gap has {{intro_chat_link}}, and no URL button {{intro_chat_shortcode}}, so the agent cannot open the chat with the lead.',
  ];
}

interface Component {
  type?: string;
  sub_type?: string;
  index?: number | string;
  parameters?: { type?: string; text?: string }[];
}

/** An empty gap is sent as "-", since the platform refuses empty ones. */
function gapWarnings(fields: IntroFields): string[] {
  const named = ['notify_chatapp_template_components', 'aparty_notify_chatapp_template_components'] as const;
  return named.flatMap((field) => {
    if (field.startsWith('notify') && fields.notify_type !== 'CHATAPP') return [];
    return (fields[field] as Component[]).flatMap((component) =>
      (component.parameters ?? []).flatMap((parameter, place) =>
        parameter.type === 'text' && parameter.text?.trim() === ''
          ? [`${field}: ${sayGap(component, place)} is empty and will be sent as "-".`]
          : [],
      ),
    );
  });
}

const sayGap = ({ type, index }: Component, place: number): string =>
  type === 'button' ? `The end of the address of button ${Number(index ?? 0) + 1}` : `Gap ${place + 1} of the ${type}`;

const templatesOf = (fields: IntroFields) => [
  fields.notify_chatapp_template_params,
  fields.notify_chatapp_template_components,
  fields.aparty_notify_chatapp_template_components,
];

async function templateWarnings(
  deps: Deps,
  accountId: string,
  { chatapp_account }: IntroRow,
  fields: IntroFields,
): Promise<string[]> {
  const named = [
    ...(fields.notify_type === 'CHATAPP' ? (['notify_chatapp_template_name'] as const) : []),
    'aparty_notify_chatapp_template_name' as const,
  ].filter((field) => fields[field] !== '');
  if (named.length === 0) return [];
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber: fields.chatapp_number }]);
  // A carrier that takes unknown templates into use has nothing to approve.
  if (!sender || deps.carriers.get(sender.carrier).adoptsUnknown) return [];
  const found = await findLanguages(
    deps,
    named.map((field) => ({
      accountId,
      chatappAccount: chatapp_account,
      carrier: sender.carrier,
      name: fields[field],
      languageCode: undefined,
      defaultLanguageCode: sender.language_code,
    })),
  );
  return named.filter((_, index) => !found[index]).map((field) => `${field}: No approved template has this name.`);
}

async function agentWarnings({ db }: Deps, accountId: string, { notify_agents }: IntroFields): Promise<string[]> {
  if (notify_agents === null || (await findSkilled(db, accountId, [notify_agents.skill])).length > 0) return [];
  return ['notify_agents: No agent has this skill.'];
}
