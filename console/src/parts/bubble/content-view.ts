import { type Fields, inside, listOf, textOf } from '../../api/fields.ts';
import { sayWord } from '../words.ts';
import { type Definition, templateView } from './template-view.ts';
import { fileKindOf, fileOf, type Tap, type View } from './view.ts';

/** How a message looks: its type, its `message_data` or what will become of it, and its template if it is one. */
export function contentView(type: string, data: Fields, definition?: Definition): View {
  switch (type) {
    case 'TEXT':
      return { text: textOf(inside(data['text'])['body']) };
    case 'TEMPLATE': {
      const { template_name, components } = data['template'] ? inside(data['template']) : data;
      return templateView(textOf(template_name), definition, listOf(components));
    }
    case 'INTERACTIVE':
      return interactiveView(inside(data['interactive']));
    case 'LOCATION':
      return { place: placeOf(data['location']) };
    case 'CONTACTS':
      return { people: listOf(data['contacts']).map(personOf) };
    case 'REACTION': {
      const { emoji, message_uuid } = inside(data['reaction']);
      return { reaction: { emoji: textOf(emoji), to: textOf(message_uuid) } };
    }
    default:
      return otherView(type, data);
  }
}

function otherView(type: string, data: Fields): View {
  const kind = fileKindOf(type);
  const media = inside(data['media']);
  if (kind) return { file: fileOf(kind, media), text: textOf(media['caption']) };
  return { note: type === 'UNSUPPORTED' ? 'A kind of message that the platform does not pass on' : sayWord(type) };
}

/** What somebody tapped, chose or filled in; else what they are asked to. */
function interactiveView(interactive: Fields): View {
  const reply = inside(interactive['button_reply'] ?? interactive['list_reply']);
  if (reply['title']) return { text: textOf(reply['title']), footer: textOf(reply['description']) };
  const answers = inside(inside(interactive['nfm_reply'])['answers']);
  if (interactive['nfm_reply']) return { note: 'Answers of a flow', answers: Object.entries(answers).map(answerOf) };
  const action = inside(interactive['action']);
  const header = inside(interactive['header']);
  const kind = fileKindOf(textOf(header['type']));
  return {
    title: textOf(header['text']),
    file: kind && fileOf(kind, header[kind]),
    text: textOf(inside(interactive['body'])['text']),
    footer: textOf(inside(interactive['footer'])['text']),
    taps: tapsOf(action),
    list: listOf(action['sections']).map((section) => ({
      title: textOf(section['title']),
      rows: listOf(section['rows']).map((row) => ({
        title: textOf(row['title']),
        description: textOf(row['description']),
      })),
    })),
  };
}

const answerOf = ([name, value]: [string, unknown]): [string, string] => [
  name,
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(String).join(', ') : JSON.stringify(value),
];

function tapsOf(action: Fields): Tap[] {
  const { display_text, url, flow_cta } = inside(action['parameters']);
  if (action['name'] === 'cta_url') return [{ kind: 'url', text: textOf(display_text), to: textOf(url) }];
  if (action['name'] === 'flow' || flow_cta) return [{ kind: 'flow', text: textOf(flow_cta) }];
  if (action['name'] === 'send_location') return [{ kind: 'location', text: 'Send location' }];
  if (action['sections']) return [{ kind: 'list', text: textOf(action['button']) }];
  return listOf(action['buttons']).map((button) => ({
    kind: 'reply',
    text: textOf(button['title']) || textOf(inside(button['reply'])['title']),
  }));
}

export function placeOf(given: unknown): View['place'] {
  const { latitude, longitude, name, address } = inside(given);
  return { name: textOf(name), address: textOf(address), latitude: Number(latitude), longitude: Number(longitude) };
}

function personOf(card: Fields): { name: string; lines: string[] } {
  const { company, title } = inside(card['org']);
  const lines = [
    ...listOf(card['phones']).map(({ phone }) => textOf(phone)),
    ...listOf(card['emails']).map(({ email }) => textOf(email)),
    [title, company].map(textOf).filter(Boolean).join(', '),
  ];
  return { name: textOf(inside(card['name'])['formatted_name']), lines: lines.filter(Boolean) };
}
