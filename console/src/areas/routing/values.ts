import type { Schema } from '../../api/index.ts';

export type Config = Schema<'RoutingConfig'>;
export type Channel = Schema<'RoutingChannel'>;
export type Conditions = Schema<'RouteConditions'>;
export type Destination = Schema<'RouteDestination'>;
export type DestinationType = Destination['type'];

/** A destination as a form holds it: the fields of all types at once, of which those of its type are sent. */
export interface DestinationValues {
  type: DestinationType;
  numbers: string[];
  ring_seconds: number | string;
  /** AGENT: an agent or a skill. CHATAPP, SMS: a number or an agent. */
  who: 'agent' | 'skill' | 'to';
  agent: string | null;
  skill: string;
  strategy: 'ROUND_ROBIN' | 'LEAST_RECENT';
  uri: string;
  audio_file: string;
  chatapp_number: string;
  from: string;
  to: string;
  /** CHATAPP: a text or a template. */
  content: 'text' | 'template';
  text: string;
  template: { template_name: string; language_code: string; parameters: string[] };
  url: string;
}

export interface RouteValues {
  /** Stays with the route while it is moved. */
  key: string;
  name: string;
  conditions: Conditions;
  destination: DestinationValues;
  group: string;
  weight: number | string;
}

export interface ConfigValues {
  name: string;
  channel: Channel;
  numbers: string[];
  enabled: boolean;
  routes: RouteValues[];
  fallback: DestinationValues | null;
}

/** What a route of a channel may lead to, the likeliest first. */
export const typesOf: Record<Channel, DestinationType[]> = {
  VOICE: ['NUMBER', 'AGENT', 'SIP', 'AUDIO', 'VOICEMAIL', 'HANGUP'],
  SMS: ['AGENT', 'SMS', 'CHATAPP', 'WEBHOOK'],
  CHATAPP: ['AGENT', 'CHATAPP', 'SMS', 'WEBHOOK'],
};

let made = 0;
const newKey = (): string => `route-${++made}`;

export const emptyDestination = (channel: Channel): DestinationValues => ({
  type: typesOf[channel][0] ?? 'AGENT',
  numbers: [],
  ring_seconds: '',
  who: 'agent',
  agent: null,
  skill: '',
  strategy: 'ROUND_ROBIN',
  uri: 'sip:',
  audio_file: '',
  chatapp_number: '',
  from: '',
  to: '',
  content: 'text',
  text: '',
  template: { template_name: '', language_code: 'en', parameters: [] },
  url: 'https://',
});

export const emptyRoute = (channel: Channel): RouteValues => ({
  key: newKey(),
  name: '',
  conditions: {},
  destination: emptyDestination(channel),
  group: '',
  weight: 1,
});

/** A destination of the API as the form holds it. */
export function destinationValuesOf(destination: Destination, channel: Channel): DestinationValues {
  const given = destination as Partial<DestinationValues> & { template?: Schema<'RouteTemplate'> };
  const empty = emptyDestination(channel);
  return {
    ...empty,
    ...given,
    who: given.skill ? 'skill' : given.to ? 'to' : 'agent',
    content: given.template ? 'template' : 'text',
    template: { ...empty.template, ...given.template },
  };
}

export const configValues = (config: Config): ConfigValues => ({
  name: config.name,
  channel: config.channel,
  numbers: config.numbers,
  enabled: config.enabled,
  routes: config.routes.map((route) => ({
    key: newKey(),
    name: route.name ?? '',
    conditions: route.conditions ?? {},
    destination: destinationValuesOf(route.destination, config.channel),
    group: route.group ?? '',
    weight: route.weight ?? 1,
  })),
  fallback: config.fallback ? destinationValuesOf(config.fallback, config.channel) : null,
});

/** The destination as the API takes it: the fields of its type, and of them those that are filled in. */
function destinationBody(values: DestinationValues): Destination {
  const ring = values.ring_seconds === '' ? {} : { ring_seconds: Number(values.ring_seconds) };
  const agent = values.agent ?? '';
  const receiver = values.who === 'to' ? { to: values.to } : { agent };
  const text = values.text ? { text: values.text } : {};
  switch (values.type) {
    case 'NUMBER':
      return { type: 'NUMBER', numbers: values.numbers, ...ring };
    case 'AGENT':
      return values.who === 'skill'
        ? { type: 'AGENT', skill: values.skill, strategy: values.strategy, ...ring }
        : { type: 'AGENT', agent, ...ring };
    case 'SIP':
      return { type: 'SIP', uri: values.uri, ...ring };
    case 'AUDIO':
      return { type: 'AUDIO', audio_file: values.audio_file };
    case 'CHATAPP':
      return {
        type: 'CHATAPP',
        chatapp_number: values.chatapp_number,
        ...receiver,
        ...(values.content === 'template' ? { template: templateBody(values.template) } : text),
      };
    case 'SMS':
      return { type: 'SMS', from: values.from, ...receiver, ...text };
    case 'WEBHOOK':
      return { type: 'WEBHOOK', url: values.url };
    default:
      return { type: values.type };
  }
}

const templateBody = ({ template_name, language_code, parameters }: DestinationValues['template']) => ({
  template_name,
  ...(language_code && { language_code }),
  ...(parameters.length > 0 && { parameters }),
});

export const configBody = ({ routes, fallback, ...rest }: ConfigValues): Schema<'RoutingConfigCreate'> => ({
  ...rest,
  routes: routes.map(({ name, conditions, destination, group, weight }) => ({
    // Without a name the record of a call says `route 2`; with an empty one it would say nothing.
    ...(name.trim() && { name: name.trim() }),
    conditions: conditionsBody(conditions),
    destination: destinationBody(destination),
    ...(group && { group, weight: Number(weight) || 1 }),
  })),
  fallback: fallback ? (destinationBody(fallback) as Schema<'RouteFallback'>) : null,
});

/** A time zone alone decides nothing. */
function conditionsBody({ time_zone, ...rest }: Conditions): Conditions {
  const timed = rest.time_windows ?? rest.weekdays ?? rest.holidays;
  return { ...rest, ...(timed && time_zone && { time_zone }) };
}
