import type { Fields } from '../../api/index.ts';
import { contentView } from '../bubble/index.ts';
import { sayWord } from '../index.ts';

interface Said {
  type: string;
  message_data: object;
}

/** A message in a line: what it says, or what it is. */
export function summaryOf({ type, message_data }: Said): string {
  const data = message_data as Fields;
  if (type === 'TEMPLATE') return `Template ${String(data['template_name'] ?? '')}`;
  const { text, note, people, place, reaction, answers } = contentView(type, data);
  if (type === 'REACTION') return reaction?.emoji ? `Reacted with ${reaction.emoji}` : 'Took a reaction back';
  if (type === 'LOCATION') return `Location${place?.name ? `: ${place.name}` : ''}`;
  if (type === 'CONTACTS') return `Contact: ${(people ?? []).map(({ name }) => name).join(', ')}`;
  if (answers) return `Answers: ${answers.map(([, value]) => value).join(', ')}`;
  const kind = sayWord(type);
  if (type === 'TEXT' || type === 'INTERACTIVE') return text || kind;
  return text ? `${kind}: ${text}` : (note ?? kind);
}
