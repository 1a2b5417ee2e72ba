import type { MessageCreate } from '../schemas.ts';
import { withIds } from './interactive.ts';

/** The part of the request that `message_data` was made from. */
export const requestOf = (type: string, messageData: object): object =>
  type === 'TEMPLATE' ? { template: messageData } : messageData;

/** `message_data`: the content as it was sent, plus what was decided about it: ids of buttons, the language of a template. */
export function contentOf(request: MessageCreate, languageCode: string | undefined): Record<string, unknown> {
  switch (request.type) {
    case 'TEXT':
      return { text: request.text };
    case 'IMAGE':
    case 'VIDEO':
    case 'AUDIO':
    case 'DOCUMENT':
    case 'STICKER':
      return { media: request.media };
    case 'LOCATION':
      return { location: request.location };
    case 'CONTACTS':
      return { contacts: request.contacts };
    case 'REACTION':
      return { reaction: request.reaction };
    case 'INTERACTIVE':
      return { interactive: withIds(request.interactive) };
    case 'TEMPLATE': {
      const { template_name, components = [] } = request.template;
      return { language_code: languageCode, template_name, components };
    }
  }
}
