import {
  anyObject,
  both,
  type Check,
  exactlyOne,
  invalid,
  link,
  list,
  number,
  oneOf,
  record,
  string,
} from '../graph/checks.ts';

const asset = (more: Record<string, Check> = {}): Check =>
  both(record({}, { id: string(), link, ...more }), exactlyOne('id', 'link'));

const named = { parameter_name: string(512) };

/** Parameters by their `type`; each holds its value under the key of that name. */
const parameters: Readonly<Record<string, Check>> = {
  text: record({ type: string(), text: string(32_768, 0) }, named),
  currency: record(
    {
      type: string(),
      currency: record({ fallback_value: string(), code: string(3, 3), amount_1000: number(-1e15, 1e15) }),
    },
    named,
  ),
  date_time: record({ type: string(), date_time: anyObject }, named),
  image: record({ type: string(), image: asset() }),
  video: record({ type: string(), video: asset() }),
  document: record({ type: string(), document: asset({ filename: string(240) }) }),
  location: record({
    type: string(),
    location: record(
      { latitude: number(-90, 90), longitude: number(-180, 180) },
      { name: string(), address: string() },
    ),
  }),
  product: record({ type: string(), product: record({ product_retailer_id: string(), catalog_id: string() }) }),
  payload: record({ type: string(), payload: string(256) }),
  coupon_code: record({ type: string(), coupon_code: string(20) }),
  action: record({ type: string(), action: anyObject }),
  limited_time_offer: record({
    type: string(),
    limited_time_offer: record({ expiration_time_ms: number(0, Number.MAX_SAFE_INTEGER) }),
  }),
  tap_target_configuration: record({ type: string(), tap_target_configuration: anyObject }),
};

const parameter: Check = (value, path) => {
  anyObject(value, path);
  const type = String((value as { type?: unknown }).type ?? '').toLowerCase();
  const check = parameters[type];
  if (!check) throw invalid(`Param ${path}['type'] must be one of {${Object.keys(parameters).join(', ')}}.`);
  check(value, path);
};

const parameterList = list(parameter, 0, 100);
const index = number(0, 9);

/** Component names and button kinds come in either case. */
const component: Check = (value, path) => {
  anyObject(value, path);
  const type = String((value as { type?: unknown }).type ?? '').toLowerCase();
  const check = components[type];
  if (!check) throw invalid(`Param ${path}['type'] must be one of {${Object.keys(components).join(', ')}}.`);
  check(value, path);
};

const components: Readonly<Record<string, Check>> = {
  header: record({ type: string() }, { parameters: list(parameter, 0, 1) }),
  body: record({ type: string() }, { parameters: parameterList }),
  footer: record({ type: string() }, { parameters: list(parameter, 0, 0) }),
  button: record({ type: string(), sub_type: string(), index }, { parameters: list(parameter, 0, 1) }),
  limited_time_offer: record({ type: string(), parameters: list(parameter, 1, 1) }),
  tap_target_configuration: record({ type: string(), parameters: list(parameter, 1, 1) }),
  carousel: record({
    type: string(),
    cards: list(
      record({ card_index: number(0, 9), components: list((value, path) => component(value, path), 0, 10) }),
      1,
      10,
    ),
  }),
};

/** The shape of `template`. Whether it fits the approved template is looked at later. */
export const template: Check = record(
  { name: string(512), language: record({ code: string(16) }, { policy: oneOf('deterministic') }) },
  { components: list(component, 0, 20), namespace: string() },
);
