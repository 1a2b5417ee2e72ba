interface Said {
  type: string;
  message_data: object;
}
type Part = Record<string, unknown> | undefined;

/** A message in a line: what it says, or what it is. */
export function summaryOf({ type, message_data }: Said): string {
  const data = message_data as Record<string, Part>;
  const text = data['text']?.['body'];
  if (typeof text === 'string') return text;
  const template = (message_data as { template_name?: unknown }).template_name;
  if (typeof template === 'string') return `Template ${template}`;
  const { button_reply, list_reply, body } = (data['interactive'] ?? {}) as Record<string, Part>;
  const spoken = button_reply?.['title'] ?? list_reply?.['title'] ?? body?.['text'] ?? data['button']?.['text'];
  if (typeof spoken === 'string') return spoken;
  const caption = data[type.toLowerCase()]?.['caption'];
  const kind = type.charAt(0) + type.slice(1).toLowerCase().replaceAll('_', ' ');
  return typeof caption === 'string' && caption ? `${kind}: ${caption}` : kind;
}
