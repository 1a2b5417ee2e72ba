import { type Fields, inside, listOf, textOf } from '../../api/index.ts';
import { gapsIn } from '../bubble/index.ts';
import type { Template } from './use-definitions.ts';

const find = (parts: Fields[], type: string): Fields | undefined =>
  parts.find((part) => textOf(part['type']).toUpperCase() === type);

/** What a template wants that the composer has no fields for, as JSON to be completed: maps, offers, carousels. */
export function specialComponents({ components }: Template): string {
  const parts = components.map(inside);
  const wanted: Fields[] = [];
  if (textOf(find(parts, 'HEADER')?.['format']) === 'LOCATION')
    wanted.push({
      type: 'header',
      parameters: [{ type: 'location', location: { latitude: 51.5, longitude: -0.12, name: '' } }],
    });
  const tomorrow = Date.now() + 86_400_000;
  if (inside(find(parts, 'LIMITED_TIME_OFFER')?.['limited_time_offer'])['has_expiration'] === true)
    wanted.push({
      type: 'limited_time_offer',
      parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: tomorrow } }],
    });
  const carousel = find(parts, 'CAROUSEL');
  if (carousel) wanted.push({ type: 'carousel', cards: listOf(carousel['cards']).map(cardOf) });
  return wanted.length > 0 ? JSON.stringify(wanted, null, 2) : '';
}

function cardOf(card: Fields, card_index: number): Fields {
  const parts = listOf(card['components']);
  const kind = textOf(find(parts, 'HEADER')?.['format']).toLowerCase() || 'image';
  const gaps = gapsIn(textOf(find(parts, 'BODY')?.['text']));
  const links = listOf(find(parts, 'BUTTONS')?.['buttons'])
    .map((button, index) => ({ index, url: textOf(button['url']) }))
    .filter(({ url }) => url.includes('{{'));
  return {
    card_index,
    components: [
      { type: 'header', parameters: [{ type: kind, [kind]: { url: 'https://' } }] },
      ...(gaps.length > 0 ? [{ type: 'body', parameters: gaps.map(() => ({ type: 'text', text: '' })) }] : []),
      ...links.map(({ index }) => ({
        type: 'button',
        sub_type: 'url',
        index,
        parameters: [{ type: 'text', text: '' }],
      })),
    ],
  };
}
