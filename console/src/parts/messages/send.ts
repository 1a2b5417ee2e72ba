import { ApiProblem, call } from '../../api/index.ts';
import { fromZone } from '../campaigns/zoned.ts';
import { interactivePath, templatePath } from '../writing/index.ts';
import { contentOf, type Draft } from './draft.ts';
import type { Message } from './types.ts';

/** Sends what was written; errors name the fields of the form. */
export async function sendDraft(draft: Draft, timeZone: string): Promise<Message> {
  const { chatapp_number, to_chatapp_number, type, context, send_at, callback_url } = draft;
  const body = {
    type,
    chatapp_number,
    to_chatapp_number,
    ...contentOf(draft),
    ...(context && type !== 'REACTION' && { context: { message_uuid: context } }),
    ...(send_at && { send_at: fromZone(send_at, timeZone) }),
    ...(callback_url && { callback_url }),
    ...metaOf(draft.meta_data),
  };
  try {
    return await call('post', '/v2/chatapp/messages/', { body: body as never });
  } catch (error) {
    throw error instanceof ApiProblem && Object.keys(error.fields).length > 0 ? renamed(error, draft) : error;
  }
}

function metaOf(text: string): { meta_data?: object } {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { meta_data: value };
  } catch {
    // Said below.
  }
  throw new ApiProblem(400, { meta_data: ['This is not a JSON object, such as {"order": 7}.'] });
}

const renamed = (problem: ApiProblem, draft: Draft): ApiProblem => {
  const fields = Object.entries(problem.fields).map(([path, text]) => [fieldOf(path, draft), [text]]);
  return new ApiProblem(problem.status, Object.fromEntries(fields), problem.requestId);
};

/** Where in the form the API's complaint belongs. */
function fieldOf(path: string, draft: Draft): string {
  const below = (prefix: string) => path.slice(prefix.length);
  if (path.startsWith('template.components.'))
    return `template.${templatePath(draft.template, below('template.components.'))}`;
  if (path.startsWith('template')) return 'template.name';
  if (path.startsWith('interactive.')) return `interactive.${interactivePath(below('interactive.'))}`;
  if (path.startsWith('context')) return 'context';
  if (path === 'media' || path === 'media.non_field_errors') return 'media.url';
  return path.replace(
    /^contacts\.(\d+)\.(?:name\.(formatted_name)|phones\.\d+\.(phone)|emails\.\d+\.(email)|org\.(company)).*$/,
    (_, index: string, ...names: unknown[]) => `contacts.${index}.${String(names.find((name) => name) ?? '')}`,
  );
}
