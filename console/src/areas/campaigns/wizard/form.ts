import type { Body, Schema } from '../../../api/index.ts';
import { fromZone, toZone } from '../../../parts/campaigns/zoned.ts';
import {
  blankTemplate,
  componentsOf,
  type TemplateForm,
  templateFormOf,
  templatePath,
} from '../../../parts/writing/index.ts';
import { type ConditionForm, conditionFormOf, conditionOf } from './audience/segment.ts';

export type Campaign = Schema<'Campaign'>;

/** A campaign as the wizard holds it. */
export interface CampaignForm {
  name: string;
  channel: 'CHATAPP' | 'SMS';
  sender: string;
  lists: string[];
  excluded_lists: string[];
  segment: ConditionForm[];
  /** Chat messages are templates, or texts to those who wrote within a day. */
  content: 'template' | 'text';
  template: TemplateForm;
  language_code: string;
  text: string;
  fallbacks: Record<string, string>;
  track_links: boolean;
  when: 'now' | 'later';
  /** Wall time in the account's zone, as `datetime-local` has it. */
  send_at: string;
  rate_per_second: number | '';
  quiet: 'account' | 'own' | 'none';
  quiet_start: string;
  quiet_end: string;
  meta_data: string;
}

export function formOf(campaign: Campaign | undefined, timeZone: string): CampaignForm {
  const { quiet_hours: quiet = null, template, send_at } = campaign ?? {};
  return {
    name: campaign?.name ?? '',
    channel: campaign?.channel ?? 'CHATAPP',
    sender: campaign?.sender ?? '',
    lists: campaign?.lists ?? [],
    excluded_lists: campaign?.excluded_lists ?? [],
    segment: (campaign?.segment ?? []).map(conditionFormOf),
    content: campaign && !template ? 'text' : 'template',
    template: template ? templateFormOf(template.template_name, template.components ?? []) : blankTemplate(),
    language_code: template?.language_code ?? '',
    text: campaign?.text ?? '',
    fallbacks: { ...campaign?.fallbacks } as Record<string, string>,
    track_links: campaign?.track_links ?? false,
    when: send_at ? 'later' : 'now',
    send_at: send_at ? toZone(send_at, timeZone) : '',
    rate_per_second: campaign?.rate_per_second ?? '',
    quiet: quiet === false ? 'none' : quiet === null ? 'account' : 'own',
    quiet_start: quiet ? quiet.start : '21:00',
    quiet_end: quiet ? quiet.end : '08:00',
    meta_data: Object.keys(campaign?.meta_data ?? {}).length > 0 ? JSON.stringify(campaign?.meta_data, null, 2) : '',
  };
}

export const isTemplate = (form: CampaignForm): boolean => form.channel === 'CHATAPP' && form.content === 'template';

/** What the API takes of it. */
export function bodyOf(form: CampaignForm, timeZone: string): Body<'/v2/campaigns/', 'post'> {
  const { name, channel, sender, lists, excluded_lists, track_links, quiet, language_code } = form;
  const used = new Set(textsOf(form).flatMap(placeholdersIn));
  const fallbacks = Object.fromEntries(Object.entries(form.fallbacks).filter(([key, text]) => used.has(key) && text));
  return {
    ...{ name, channel, sender, lists, excluded_lists, track_links, fallbacks },
    segment: form.segment.map(conditionOf),
    template: isTemplate(form)
      ? {
          template_name: form.template.name,
          ...(language_code && { language_code }),
          components: componentsOf(form.template),
        }
      : null,
    text: isTemplate(form) ? '' : form.text,
    rate_per_second: form.rate_per_second === '' ? null : form.rate_per_second,
    quiet_hours:
      quiet === 'account' ? null : quiet === 'none' ? false : { start: form.quiet_start, end: form.quiet_end },
    send_at: form.when === 'later' && form.send_at ? fromZone(form.send_at, timeZone) : null,
    meta_data: form.meta_data.trim() ? (JSON.parse(form.meta_data) as Record<string, unknown>) : {},
  };
}

/** The texts that may hold placeholders. */
export function textsOf(form: CampaignForm): string[] {
  if (!isTemplate(form)) return [form.text];
  const { header, body, buttons, rest } = form.template;
  return [header.text, header.url, ...body.map(({ text }) => text), ...buttons.map(({ text }) => text), rest];
}

export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{([^{}]+)\}\}/g)].map((found) => found[1]!.trim()).filter((name) => name !== '')),
];

/** Fields by the step that has them, to lead people to what the API refused. */
const fieldsOfSteps = [
  ['name', 'channel', 'sender'],
  ['lists', 'excluded_lists', 'segment'],
  ['template', 'text', 'fallbacks', 'track_links', 'content', 'language_code'],
  ['send_at', 'rate_per_second', 'quiet_hours', 'quiet_start', 'quiet_end', 'meta_data', 'when'],
];

/** Which step an error belongs to; -1: none of them. */
export const stepOf = (path: string): number => fieldsOfSteps.findIndex((names) => names.includes(path.split('.')[0]!));

/** The API's errors under the names that the form has. */
export function errorsOf(form: CampaignForm, fields: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(fields).map(([path, text]) => {
    if (path === 'template' || path.startsWith('template.template_name')) return ['template.name', text];
    if (path.startsWith('template.language_code')) return ['language_code', text];
    if (path.startsWith('template.components')) {
      return [`template.${templatePath(form.template, path.replace('template.components.', ''))}`, text];
    }
    if (path.startsWith('quiet_hours')) return [path.endsWith('end') ? 'quiet_end' : 'quiet_start', text];
    if (/^(lists|excluded_lists)\./.test(path)) return [path.split('.')[0]!, text];
    return [path, text];
  });
  return Object.fromEntries(entries);
}
