import { ApiProblem, type Schema } from '../../api/index.ts';

type Job = Schema<'Job'>;

/** What the types of jobs are called. */
export const jobTypes: Record<Job['type'], string> = {
  'contacts.import': 'Import of contacts',
  'contacts.export': 'Export of contacts',
  'opt_outs.import': 'Import of opt-outs',
  'chat_intros.upsert': 'Creating and replacing chat intros',
  'messages.send': 'Chat messages',
  'sms.send': 'SMS to many',
  'numbers.create': 'Purchase of numbers',
  'numbers.update': 'Change of numbers',
  'cdr.export': 'Export of call records',
  'campaign_logs.export': 'Export of a launch',
  'reports.export': 'Export of a report',
  'accounts.delete': 'Deletion of an account',
  'people.erase': 'Erasure of a person',
};

export const nameOf = (type: string): string => jobTypes[type as Job['type']] ?? type;

export const isOver = (status: Job['status']): boolean => status !== 'QUEUED' && status !== 'RUNNING';

/** Whether a file comes out of it. */
export const makesFile = (type: string): boolean => type.endsWith('.export');

const labels: Record<string, string> = {
  succeeded: 'Done',
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
  repeated: 'Repeated',
  failed: 'Rejected',
  rows: 'Rows',
  files: 'Files',
  numbers: 'Numbers',
};

/** The figures of a result, in an order that makes sense. */
export function figuresOf(result: object | null): { name: string; label: string; value: number }[] {
  const all = Object.entries(result ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const order = Object.keys(labels);
  return all
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([name, value]) => ({ name, value, label: labels[name] ?? name }));
}

const fieldName = (name: string): string => {
  const words = name.replaceAll(/[_.]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What was wrong with an item, in words. */
export function sayRefusal(error: object): string {
  const problem = new ApiProblem(400, error);
  const fields = Object.entries(problem.fields);
  if (fields.length === 0) return problem.detail;
  return fields
    .map(([name, text]) => (name.endsWith('non_field_errors') ? text : `${fieldName(name)}: ${text}`))
    .join(' ');
}
