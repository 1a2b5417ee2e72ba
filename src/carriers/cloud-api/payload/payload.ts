import { isUserId, phoneDigits } from '../../../platform/phone.ts';
import type { OutboundMessage } from '../../ports/chat.ts';
import { assetOf, type FileRef } from './asset.ts';
import { Unsendable, withoutEmpty } from './checks.ts';
import { interactiveOf } from './interactive.ts';
import { type TemplateContent, templateOf } from './template.ts';

type Fields = Record<string, unknown>;

/** The body of `POST /{phone-number-id}/messages` for a message. Throws `Unsendable`. */
export function payloadOf(message: OutboundMessage): Fields {
  const type = message.type.toLowerCase();
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(message.toNumber),
    type,
    [type]: contentOf(message),
    ...contextOf(message),
    biz_opaque_callback_data: message.uuid,
  };
}

/** Without the plus the platform would put the business number's own country code in front. */
const recipientOf = (to: string): Fields => (isUserId(to) ? { recipient: to } : { to: `+${phoneDigits(to)}` });

/**
 * A quote whose message the platform does not know is left out: the words matter more than the bubble. A reaction names its
 * message itself, and the platform refuses one that also quotes.
 */
function contextOf({ type, quotes, carrierIds }: OutboundMessage): Fields {
  const id = quotes === undefined || type === 'REACTION' ? undefined : carrierIds.get(quotes.toLowerCase());
  return id === undefined ? {} : { context: { message_id: id } };
}

function contentOf({ type, content, carrierIds }: OutboundMessage): unknown {
  switch (type) {
    case 'TEXT':
      return content.text;
    case 'IMAGE':
    case 'VIDEO':
    case 'AUDIO':
    case 'DOCUMENT':
    case 'STICKER':
      return assetOf(type.toLowerCase(), content.media as FileRef, carrierIds);
    case 'LOCATION':
    case 'CONTACTS':
      return withoutEmpty(content[type.toLowerCase()]);
    case 'REACTION':
      return reactionOf(content.reaction as { message_uuid: string; emoji: string }, carrierIds);
    case 'INTERACTIVE':
      return interactiveOf(content.interactive as Parameters<typeof interactiveOf>[0], carrierIds);
    case 'TEMPLATE':
      return templateOf(content as unknown as TemplateContent, carrierIds);
    default:
      throw new Unsendable('type_unknown', `The platform has no messages of type ${type}.`);
  }
}

/** An empty emoji takes the reaction back. */
function reactionOf(
  { message_uuid, emoji }: { message_uuid: string; emoji: string },
  known: ReadonlyMap<string, string>,
) {
  const id = known.get(message_uuid.toLowerCase());
  if (id === undefined)
    throw new Unsendable('reaction_target_unknown', 'The message reacted to is not known to the platform.');
  return { message_id: id, emoji };
}
