export const channels = [
  { value: 'CHATAPP', label: 'Chat app' },
  { value: 'SMS', label: 'SMS' },
  { value: 'VOICE', label: 'Calls' },
];
export const subjects = [
  { value: 'ACCOUNT', label: 'Account' },
  { value: 'SENDER', label: 'Sender' },
  { value: 'RECIPIENT', label: 'Recipient' },
  { value: 'COUNTRY', label: 'Country' },
];
export const windows = [
  { value: 'HOUR', label: 'Hour' },
  { value: 'DAY', label: 'Day' },
];
export const measures = [
  { value: 'COUNT', label: 'Count' },
  { value: 'COST', label: 'Cost' },
];
export const priceClasses = [
  { value: 'STANDARD', label: 'Standard' },
  { value: 'SHARED_COST', label: 'Shared cost' },
  { value: 'PREMIUM', label: 'Premium rate and satellite' },
];

/** What safeguards are called, for people. */
export const rules: Record<string, string> = {
  COUNTRY: 'Country',
  PREFIX: 'Blocked prefix',
  PRICE_CLASS: 'Expensive number',
  CAP: 'Cap',
  PUMPING: 'SMS pumping',
  OTP_CONVERSION: 'Unused one-time passwords',
  CONCURRENT_CALLS: 'Calls at once',
  FORWARDING_LOOP: 'Forwarding loop',
  HELP: 'HELP replies',
};
export const statuses: Record<string, string> = {
  NOTED: 'Refused',
  HELD: 'Held for review',
  RELEASED: 'Released',
  BLOCKED: 'Blocked',
};

export const labelOf = (choices: { value: string; label: string }[], value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;

/** Whether a safeguard holds a range of numbers until somebody reviews it. */
export const holdsRange = (rule: string): boolean => rule === 'PUMPING' || rule === 'OTP_CONVERSION';

/** What an incident is about: `SMS COUNT DAY SENDER 4477…` is a cap, a range has no plus. */
export function subjectOf({ rule, subject }: { rule: string; subject: string }): string {
  if (holdsRange(rule)) return `+${subject}000 to +${subject}999`;
  if (rule !== 'CAP') return subject;
  const [, , window = '', per = '', ...whom] = subject.split(' ');
  return [labelOf(subjects, per), whom.join(' '), `per ${window.toLowerCase()}`].filter(Boolean).join(' ');
}
