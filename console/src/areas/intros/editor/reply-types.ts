import type { ReplyType } from '../../../parts/intros/form.ts';

/** The types of reply, in the words of the console. */
export const replyTypes: { value: ReplyType; label: string }[] = [
  { value: 'TEXT', label: 'Text' },
  { value: 'IMAGE', label: 'Image' },
  { value: 'QUICK_REPLY', label: 'Quick reply buttons' },
  { value: 'LIST', label: 'List' },
  { value: 'CTA', label: 'Link button' },
  { value: 'FLOW', label: 'Flow' },
  { value: 'INTERACTIVE', label: 'Other interactive' },
];
