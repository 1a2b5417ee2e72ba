import { Type } from 'typebox';
import { Uuid } from '../../../platform/http/openapi/models.ts';

// The grammar of one emoji (Unicode Technical Standard 51, 1.4.9): a flag, a keycap, or pictures joined into one.
const flag = '\\p{RI}\\p{RI}';
const keycap = '[0-9#*]\\uFE0F?\\u20E3';
const picture = '\\p{ExtPict}[\\p{EMod}\\uFE0F]?';
const emoji = `${flag}|${keycap}|${picture}(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?(?:\\u200D${picture})*`;

export const Reaction = Type.Object({
  message_uuid: Uuid('The message reacted to, of the same conversation.'),
  emoji: Type.String({
    maxLength: 40,
    pattern: `^(?:${emoji})?$`,
    'x-message': 'Enter one emoji, or nothing to take the reaction back.',
    description: 'One emoji; empty takes the reaction back.',
  }),
});
