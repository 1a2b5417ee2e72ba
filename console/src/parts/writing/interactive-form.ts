import { type Fields, inside, listOf, textOf } from '../../api/fields.ts';

/** An interactive reply while it is edited: every field of every kind, so that changing the kind loses nothing. */
export interface InteractiveForm {
  type: Kind;
  header: {
    type: 'none' | 'text' | HeaderFile;
    text: string;
    url: string;
    media_uuid: string;
    filename: string;
    id: string;
  };
  body: { text: string };
  footer: { text: string };
  action: {
    buttons: { title: string; id: string }[];
    button: string;
    sections: { title: string; rows: { title: string; description: string; id: string }[] }[];
    parameters: {
      display_text: string;
      url: string;
      flow_cta: string;
      flow_name: string;
      flow_id: string;
      flow_action: string;
      screen: string;
    };
  };
  /** Of a flow: what the editor has no field for, kept as it is. */
  kept: Fields;
}

export type Kind = 'button' | 'list' | 'cta_url' | 'flow' | 'location_request_message';
type HeaderFile = 'image' | 'video' | 'document';

export const kindNames: Record<Kind, string> = {
  button: 'Quick reply buttons',
  list: 'List',
  cta_url: 'Link button',
  flow: 'Flow',
  location_request_message: 'Ask for the location',
};

/** The kind that a type of reply stands for; INTERACTIVE may be any of them. */
export const kindOfType: Record<string, Kind | undefined> = {
  QUICK_REPLY: 'button',
  LIST: 'list',
  CTA: 'cta_url',
  FLOW: 'flow',
};

export const blankRow = { title: '', description: '', id: '' };

export const blankInteractive = (type: Kind = 'button'): InteractiveForm => ({
  type,
  header: { type: 'none', text: '', url: '', media_uuid: '', filename: '', id: '' },
  body: { text: '' },
  footer: { text: '' },
  action: {
    buttons: [{ title: '', id: '' }],
    button: '',
    sections: [{ title: '', rows: [{ ...blankRow }] }],
    parameters: { display_text: '', url: '', flow_cta: '', flow_name: '', flow_id: '', flow_action: '', screen: '' },
  },
  kept: {},
});

/** A stored one, to be edited. */
export function interactiveFormOf(stored: object, replyType: string): InteractiveForm {
  const { type, header, body, footer, action: given } = stored as Fields;
  const action = inside(given);
  const form = blankInteractive(kindOfType[replyType] ?? guessKind(textOf(type), action));
  const parameters = inside(action['parameters']);
  const payload = inside(parameters['flow_action_payload']);
  const buttons = listOf(action['buttons']).map((button) => ({ ...button, ...inside(button['reply']) }) as Fields);
  const sections = listOf(action['sections']);
  return {
    ...form,
    header: headerFormOf(inside(header)),
    body: { text: textOf(inside(body)['text']) },
    footer: { text: textOf(inside(footer)['text']) },
    action: {
      buttons:
        buttons.length > 0
          ? buttons.map((one) => ({ title: textOf(one['title']), id: textOf(one['id']) }))
          : form.action.buttons,
      button: textOf(action['button']),
      sections: sections.length > 0 ? sections.map(sectionFormOf) : form.action.sections,
      parameters: {
        ...form.action.parameters,
        ...Object.fromEntries(
          ['display_text', 'url', 'flow_cta', 'flow_name', 'flow_id', 'flow_action'].map((name) => [
            name,
            textOf(parameters[name]),
          ]),
        ),
        screen: textOf(payload['screen']),
      },
    },
    kept: keptOf(parameters, payload),
  };
}

function guessKind(type: string, action: Fields): Kind {
  if (type in kindNames) return type as Kind;
  if (action['sections'] !== undefined) return 'list';
  if (action['name'] === 'cta_url' || action['name'] === 'flow') return action['name'];
  return action['name'] === 'send_location' ? 'location_request_message' : 'button';
}

function headerFormOf(header: Fields): InteractiveForm['header'] {
  const type = textOf(header['type']) as InteractiveForm['header']['type'];
  const file = inside(header[type]);
  return {
    type: type || 'none',
    text: textOf(header['text']),
    url: textOf(file['url'] ?? file['link']),
    media_uuid: textOf(file['media_uuid']),
    filename: textOf(file['filename']),
    id: textOf(file['id']),
  };
}

const sectionFormOf = (section: Fields): InteractiveForm['action']['sections'][number] => ({
  title: textOf(section['title']),
  rows: listOf(section['rows']).map((row) => ({
    title: textOf(row['title']),
    description: textOf(row['description']),
    id: textOf(row['id']),
  })),
});

function keptOf(parameters: Fields, payload: Fields): Fields {
  const names = ['flow_message_version', 'mode', 'flow_token'];
  const kept = Object.fromEntries(names.flatMap((name) => (name in parameters ? [[name, parameters[name]]] : [])));
  return 'data' in payload ? { ...kept, data: payload['data'] } : kept;
}

/** Whether nothing was filled in: the reply's text then speaks. */
export const isBlank = (form: InteractiveForm): boolean =>
  form.body.text.trim() === '' &&
  JSON.stringify(interactiveOf(form)) === JSON.stringify(interactiveOf(blankInteractive(form.type)));

const given = (fields: Record<string, string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** As the API takes it: only what belongs to its kind. */
export function interactiveOf({ type, header, body, footer, action, kept }: InteractiveForm): Fields {
  if (type === 'location_request_message') return { type, body, action: { name: 'send_location' } };
  const isText = type === 'list' || type === 'flow';
  const hasHeader = header.type === 'text' || (header.type !== 'none' && !isText);
  return {
    type,
    ...(hasHeader && { header: headerOf(header) }),
    body,
    ...(footer.text !== '' && { footer }),
    action: actionOf(type, action, kept),
  };
}

function headerOf({ type, text, url, media_uuid, filename, id }: InteractiveForm['header']): Fields {
  if (type === 'text') return { type, text };
  // A file that the platform knows by an id of its own stays, until another is chosen.
  const other = id && !url ? { id } : { url };
  const file = media_uuid ? { media_uuid } : other;
  return { type, [type]: { ...file, ...(type === 'document' && given({ filename })) } };
}

function actionOf(
  type: Kind,
  { buttons, button, sections, parameters }: InteractiveForm['action'],
  kept: Fields,
): Fields {
  const { display_text, url, flow_cta, flow_name, flow_id, flow_action, screen } = parameters;
  if (type === 'button')
    return { buttons: buttons.map(({ title, id }) => ({ type: 'reply', title, ...given({ id }) })) };
  if (type === 'cta_url') return { name: 'cta_url', parameters: { display_text, url } };
  if (type === 'list') {
    const rowOf = ({ title, description, id }: (typeof sections)[number]['rows'][number]) => ({
      title,
      ...given({ description, id }),
    });
    return { button, sections: sections.map(({ title, rows }) => ({ ...given({ title }), rows: rows.map(rowOf) })) };
  }
  const { data, ...rest } = kept;
  const payload = { ...given({ screen }), ...(data !== undefined && { data }) };
  return {
    name: 'flow',
    parameters: {
      ...rest,
      flow_cta,
      ...(flow_id ? { flow_id } : { flow_name }),
      ...given({ flow_action }),
      ...(Object.keys(payload).length > 0 && { flow_action_payload: payload }),
    },
  };
}

/** Where the API's complaint about an interactive object belongs in its form. */
export const interactivePath = (path: string): string =>
  path
    .replace(/^header\.(image|video|document)\.(url|media_uuid|filename)$/, 'header.$2')
    .replace(/^header\.(image|video|document).*$/, 'header.url')
    .replace(/^action\.parameters\.flow_action_payload.*$/, 'action.parameters.screen')
    .replace(/^action\.parameters\.non_field_errors$/, 'action.parameters.flow_name');
