import { isPhone, phoneDigits } from '../../platform/phone.ts';

/** What an event is about, in the form that the filters of webhooks are compared with. */
export interface About {
  numbers: string[];
  senders: string[];
  intros: string[];
}

const numberFields = ['number', 'from', 'to', 'caller', 'called'];
const senderFields = ['chatapp_number'];
const introFields = ['chat_intro'];

/** Read from what the event tells, and from the message, SMS or call in it. */
export function aboutOf(data: Record<string, unknown>): About {
  const told = [data, data['message'], data['sms'], data['call']].filter(isObject);
  const textsIn = (fields: string[]): string[] => [
    ...new Set(told.flatMap((part) => fields.map((field) => part[field]).filter((one) => typeof one === 'string'))),
  ];
  const digitsIn = (fields: string[]): string[] =>
    textsIn(fields)
      .filter((text) => isPhone(text))
      .map((text) => phoneDigits(text));
  return { numbers: digitsIn(numberFields), senders: digitsIn(senderFields), intros: textsIn(introFields) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether an event is about what a filter asks for; a filter that asks for nothing takes all. */
export const isAbout = (
  { numbers, senders, intros }: About,
  {
    heard_numbers,
    heard_senders,
    heard_intros,
  }: { heard_numbers: string[]; heard_senders: string[]; heard_intros: string[] },
): boolean => meets(heard_numbers, numbers) && meets(heard_senders, senders) && meets(heard_intros, intros);

const meets = (wanted: string[], given: string[]): boolean =>
  wanted.length === 0 || wanted.some((one) => given.includes(one));
