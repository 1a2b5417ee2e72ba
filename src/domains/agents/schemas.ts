import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { WeekHours } from '../../platform/time/week-hours.ts';
import { NotifyTemplate } from '../accounts/index.ts';
import type { AgentRow } from './queries.ts';

const phone = '[+\\s.()[\\]-]*(?:\\d[+\\s.()[\\]-]*){5,19}';
/** RFC 3261, 19.1, without a password and without headers: nobody dials with either. */
const sip = "sips?:[A-Za-z0-9_.!~*'()&=+$,;?/%-]+@[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:;[A-Za-z0-9_.=-]+)*";

export const SipUri = Type.String({
  pattern: `^${sip}$`,
  maxLength: 255,
  'x-message': 'Enter a SIP address such as sip:ana@example.com.',
  examples: ['sip:ana@example.com'],
});

export const calleeSentence = 'Enter a phone number or a SIP address.';
const Callee = Type.String({
  pattern: `^(?:${phone}|${sip})$`,
  maxLength: 255,
  'x-message': calleeSentence,
});

export const Skill = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,49}$',
  'x-message': 'Enter up to 50 letters, digits, spaces, dots, dashes and underscores, the first a letter or digit.',
  description: 'Compared without regard to case.',
  examples: ['sales'],
});
export const skillKey = (skill: string): string => skill.toLowerCase();

export const strategies = ['ROUND_ROBIN', 'LEAST_RECENT'] as const;
export const Strategy = Type.Enum([...strategies], {
  description: 'ROUND_ROBIN: one after the other. LEAST_RECENT: whoever was last asked the longest ago.',
});
export type Strategy = (typeof strategies)[number];

const needed = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  numbers: Type.Array(Callee, {
    minItems: 1,
    maxItems: 10,
    uniqueItems: true,
    description: 'Phone numbers or SIP addresses. Messages go to the first phone number.',
  }),
};
const optional = {
  ring: Type.Enum(['IN_ORDER', 'ALL_AT_ONCE'], { description: 'How the numbers are rung.' }),
  time_zone: nullable(
    Type.String({ format: 'time-zone', description: 'Of hours and holidays; null: that of the account.' }),
  ),
  working_hours: nullable(WeekHours),
  holidays: Type.Array(Type.String({ format: 'date' }), {
    maxItems: 400,
    uniqueItems: true,
    description: 'Whole days without work.',
  }),
  skills: Type.Array(Skill, { maxItems: 50, uniqueItems: true }),
  away: Type.Boolean({ description: 'Takes nothing, whatever the hours.' }),
  away_until: nullable(
    Type.String({ format: 'date-time', description: 'When `away` ends by itself; null: it does not.' }),
  ),
  template: nullable(
    Type.Object(NotifyTemplate.properties, {
      title: 'AgentTemplate',
      description:
        'Tells the agent what somebody wrote in a chat, when the agent did not write within 24 hours; null: `notify_template` of the account.',
    }),
  ),
  fallback: nullable(Uuid('The agent who is asked when this one is not available or does not answer.')),
};

export const AgentConfigCreate = Type.Object(
  { ...needed, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'AgentConfigCreate' },
);
export type AgentConfigCreate = Static<typeof AgentConfigCreate>;
export const AgentConfigPatch = Type.Partial(Type.Object({ ...needed, ...optional }), { title: 'AgentConfigPatch' });
export type AgentConfigPatch = Static<typeof AgentConfigPatch>;

const AgentFields = Type.Object({ ...needed, ...optional });
export type AgentFields = Static<typeof AgentFields>;

export const withDefaults = (request: AgentConfigCreate): AgentFields => ({
  ring: 'IN_ORDER',
  time_zone: null,
  working_hours: null,
  holidays: [],
  skills: [],
  away: false,
  away_until: null,
  template: null,
  fallback: null,
  ...request,
});

export const AgentConfig = Type.Object(
  {
    uuid: Uuid(),
    ...needed,
    ...optional,
    away_until: nullable(Timestamp('When `away` ends by itself.')),
    available: Type.Boolean({ description: 'Whether something would be handed to this agent now.' }),
    last_assigned: nullable(Timestamp('When something was last handed to this agent.')),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'AgentConfig' },
);
export const AgentConfigPage = PageOf(AgentConfig, 'AgentConfigPage');

/** A stored agent in the words of the request. */
export const fieldsOf = (row: AgentRow): AgentFields => ({
  name: row.name,
  numbers: row.numbers,
  ring: row.ring as AgentFields['ring'],
  time_zone: row.time_zone,
  working_hours: row.working_hours as AgentFields['working_hours'],
  holidays: row.holidays as unknown as string[],
  skills: row.skills,
  away: row.away,
  away_until: row.away_until,
  template: row.template,
  fallback: row.fallback,
});

export const isSipAddress = (callee: string): boolean => /^sips?:/i.test(callee);

/** What can be written to: phone numbers, and no SIP addresses. */
export const phonesOf = ({ numbers }: { numbers: string[] }): string[] =>
  numbers.filter((number) => !isSipAddress(number));
