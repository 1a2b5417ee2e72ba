import type { Schema } from '../../api/index.ts';
import { optionsOf } from '../index.ts';

export type Message = Schema<'Message'>;

export const statuses = optionsOf(['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED', 'RECEIVED']);

export const directions = [
  { value: 'OUTBOUND', label: 'Sent by you' },
  { value: 'INBOUND', label: 'Sent by people' },
];

/** What can be sent, in the order in which it is offered. */
export const sendTypes = [
  { value: 'TEXT', label: 'Text' },
  { value: 'TEMPLATE', label: 'Template' },
  { value: 'INTERACTIVE', label: 'Interactive: buttons, list, link, flow' },
  { value: 'IMAGE', label: 'Image' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'AUDIO', label: 'Audio' },
  { value: 'DOCUMENT', label: 'Document' },
  { value: 'STICKER', label: 'Sticker' },
  { value: 'LOCATION', label: 'Location' },
  { value: 'CONTACTS', label: 'Contact cards' },
  { value: 'REACTION', label: 'Reaction' },
] as const;
export type SendType = (typeof sendTypes)[number]['value'];

export const types = [
  ...sendTypes.map(({ value, label }) => ({ value: value as string, label: label.split(':')[0]! })),
  { value: 'ORDER', label: 'Order' },
  { value: 'SYSTEM', label: 'System' },
  { value: 'UNSUPPORTED', label: 'Unsupported' },
];

/** The other side: not the business. */
export const personOf = (message: Message): string =>
  message.direction === 'INBOUND' ? message.from_chatapp_number : message.to_chatapp_number;
