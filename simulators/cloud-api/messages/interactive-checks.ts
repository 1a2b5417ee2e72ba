import {
  anyObject,
  both,
  type Check,
  exactlyOne,
  type Fields,
  invalid,
  link,
  list,
  number,
  oneOf,
  record,
  string,
  unique,
  variant,
} from '../graph/checks.ts';

const asset = both(record({}, { id: string(), link, filename: string(240) }), exactlyOne('id', 'link'));
const textHeader = record({ type: oneOf('text'), text: string(60) });
const mediaHeader = (type: string): Check => record({ type: oneOf(type), [type]: asset });
const header = variant('type', {
  text: textHeader,
  image: mediaHeader('image'),
  video: mediaHeader('video'),
  document: mediaHeader('document'),
});
const cardHeader = variant('type', { image: mediaHeader('image'), video: mediaHeader('video') });
const body = (max = 1024): Check => record({ text: string(max) });
const footer = record({ text: string(60) });

const replyButton = record({
  type: oneOf('reply'),
  reply: record({ id: string(256), title: string(20) }),
});
type ReplyButton = { reply: { id: string; title: string } };
const replyButtons = both(
  list(replyButton, 1, 3),
  unique((button: ReplyButton) => button.reply.title, 'button titles'),
  unique((button: ReplyButton) => button.reply.id, 'button ids'),
);

const row = record({ id: string(200), title: string(24) }, { description: string(72) });
const section = record({ rows: list(row, 1, 10) }, { title: string(24) });
type Section = { title?: string; rows: { id: string }[] };
/** Ten rows in all sections together, not in each. */
const sections: Check = (value, path) => {
  list(section, 1, 10)(value, path);
  const given = value as Section[];
  const ids = given.flatMap(({ rows }) => rows.map(({ id }) => id));
  if (ids.length > 10) throw invalid(`Total row count exceed max allowed count: 10 (${ids.length} given).`, 131009);
  if (new Set(ids).size < ids.length) throw invalid('Duplicated row ids are not allowed.', 131009);
  if (given.length > 1 && given.some(({ title }) => !title)) {
    throw invalid(`Section title is required when there is more than one section.`, 131009);
  }
};

const ctaAction = record({
  name: oneOf('cta_url'),
  parameters: record({ display_text: string(20), url: link }),
});

const flowParameters: Check = (value, path) => {
  record(
    { flow_message_version: oneOf('3'), flow_cta: string(30) },
    {
      flow_id: string(),
      flow_name: string(200),
      mode: oneOf('draft', 'published'),
      flow_token: string(),
      flow_action: oneOf('navigate', 'data_exchange'),
      flow_action_payload: record({}, { screen: string(), data: anyObject }),
    },
  )(value, path);
  exactlyOne('flow_id', 'flow_name')(value, path);
  const { flow_action, flow_action_payload: payload } = value as Fields & { flow_action_payload?: Fields };
  if (payload && flow_action === 'data_exchange') {
    throw invalid(`Param ${path}['flow_action_payload'] is only allowed with flow_action navigate.`, 131009);
  }
  if (payload?.['data'] && Object.keys(payload['data']).length === 0) {
    throw invalid(`Param ${path}['flow_action_payload']['data'] must be a non-empty object.`, 131009);
  }
};

const productItem = record({ product_retailer_id: string() });
const card = both(
  variant('type', {
    cta_url: record(
      { card_index: number(0, 9), type: oneOf('cta_url'), header: cardHeader, action: ctaAction },
      { body: body(160) },
    ),
    product: record(
      {
        card_index: number(0, 9),
        type: oneOf('product'),
        action: record({ product_retailer_id: string(), catalog_id: string() }),
      },
      { body: body(160) },
    ),
  }),
);

const named = (name: string): Check => record({ name: oneOf(name) });
const kind = (type: string, required: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  record({ type: oneOf(type), ...required }, optional);

/** `interactive`, by its own `type`. */
export const interactive: Check = variant('type', {
  button: kind('button', { body: body(), action: record({ buttons: replyButtons }) }, { header, footer }),
  list: kind(
    'list',
    { body: body(4096), action: record({ button: string(20), sections }) },
    { header: textHeader, footer },
  ),
  cta_url: kind('cta_url', { body: body(), action: ctaAction }, { header, footer }),
  flow: kind(
    'flow',
    { body: body(), action: record({ name: oneOf('flow'), parameters: flowParameters }) },
    { header, footer },
  ),
  location_request_message: kind('location_request_message', { body: body(), action: named('send_location') }),
  request_contact_info: kind('request_contact_info', { body: body(), action: named('request_contact_info') }),
  carousel: kind('carousel', { body: body(), action: record({ cards: list(card, 2, 10) }) }),
  product: kind(
    'product',
    { action: record({ catalog_id: string(), product_retailer_id: string() }) },
    { body: body(), footer },
  ),
  product_list: kind(
    'product_list',
    {
      header: textHeader,
      body: body(),
      action: record({
        catalog_id: string(),
        sections: list(record({ product_items: list(productItem, 1, 30) }, { title: string(24) }), 1, 10),
      }),
    },
    { footer },
  ),
  catalog_message: kind(
    'catalog_message',
    {
      body: body(),
      action: record(
        { name: oneOf('catalog_message') },
        { parameters: record({}, { thumbnail_product_retailer_id: string() }) },
      ),
    },
    { footer },
  ),
});
