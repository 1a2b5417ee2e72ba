/** What can be reported, in the order of the choices, and what it can be grouped by beside time. */
export const metrics = {
  calls: { label: 'Calls', groups: ['agent', 'number', 'source'] },
  messages: { label: 'Chat messages', groups: ['intro', 'number', 'campaign'] },
  sms: { label: 'SMS', groups: ['number', 'campaign'] },
  intros: { label: 'Intros', groups: ['intro'] },
  leads: { label: 'Leads', groups: ['agent', 'intro', 'source'] },
  campaigns: { label: 'Campaign recipients', groups: ['campaign'] },
} as const;
export type Metric = keyof typeof metrics;

const times = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  hour_of_day: 'Hour of the day',
  weekday: 'Day of the week',
};
const things = { agent: 'Agent', intro: 'Intro', number: 'Your number', campaign: 'Campaign', source: 'Source' };
export type Grouping = keyof typeof times | keyof typeof things;

export const isTime = (grouping: Grouping): boolean => grouping in times;
export const sayGrouping = (grouping: Grouping): string => ({ ...times, ...things })[grouping];

/** The longest span by the hour. */
export const mostDaysByHour = 31;

/** What a select offers for a metric and a number of days. */
export const groupingsOf = (metric: Metric, days: number): { value: Grouping; label: string }[] =>
  [
    ...(Object.keys(times) as Grouping[]).filter((grouping) => grouping !== 'hour' || days <= mostDaysByHour),
    ...metrics[metric].groups,
  ].map((value) => ({ value, label: sayGrouping(value) }));
