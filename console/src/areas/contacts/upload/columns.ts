/** What a column may be: a field of contacts, an attribute under some name, or nothing. */
export type Target = Field | 'attribute' | 'nothing';
type Field = 'phone_number' | 'name' | 'first_name' | 'last_name' | 'language_code' | 'time_zone' | 'attributes';

export interface ColumnPlan {
  title: string;
  /** Values of the first rows. */
  samples: string[];
  target: Target;
  /** The name of the attribute, where it is one. */
  attribute: string;
}

export const targets: { value: Target; label: string }[] = [
  { value: 'phone_number', label: 'Phone number' },
  { value: 'name', label: 'Name' },
  { value: 'first_name', label: 'First name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'language_code', label: 'Language' },
  { value: 'time_zone', label: 'Time zone' },
  { value: 'attributes', label: 'Attributes, as JSON' },
  { value: 'attribute', label: 'An attribute' },
  { value: 'nothing', label: 'Skip' },
];

/** The names under which people have these; the server guesses alike. */
const names: Record<Field, readonly string[]> = {
  phone_number: [
    ...['phonenumber', 'mobilenumber', 'mobilephone', 'mobile', 'cellphone', 'cell', 'phone', 'msisdn', 'e164'],
    ...['whatsapp', 'telephonenumber', 'telephone', 'tel', 'number'],
  ],
  name: ['name', 'fullname', 'contactname'],
  first_name: ['firstname', 'givenname', 'forename'],
  last_name: ['lastname', 'surname', 'familyname'],
  language_code: ['languagecode', 'language', 'lang', 'locale'],
  time_zone: ['timezone', 'tz'],
  attributes: ['attributes'],
};

/** Columns of an export that say what the server itself decides. */
const passedOver = ['uuid', 'lists', 'created', 'modified'];
const plain = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** A first guess for every column. */
export function guessColumns(titles: string[], rows: string[][]): ColumnPlan[] {
  const found = new Map<number, Field>();
  const plains = titles.map(plain);
  for (const [field, known] of Object.entries(names) as [Field, readonly string[]][]) {
    const name = known.find((each) => plains.includes(each));
    if (name !== undefined) found.set(plains.indexOf(name), field);
  }
  const whole = [...found.values()].includes('name');
  return titles.map((title, place) => {
    const field = found.get(place);
    const isPart = field === 'first_name' || field === 'last_name';
    const isNothing = title.trim() === '' || passedOver.includes(title.trim());
    const target: Target = field && !(whole && isPart) ? field : isNothing ? 'nothing' : 'attribute';
    const samples = rows.map((row) => row[place] ?? '').filter((value) => value !== '');
    return { title, samples: samples.slice(0, 3), target, attribute: title.trim() };
  });
}

/** What the plan lacks or says twice, as a sentence; undefined if it will do. */
export function problemOf(plan: ColumnPlan[]): string | undefined {
  const fields = plan.map(({ target }) => target).filter((target) => target !== 'attribute' && target !== 'nothing');
  if (!fields.includes('phone_number')) return 'Choose the column with the phone number.';
  const twice = fields.find((field, at) => fields.indexOf(field) !== at);
  if (twice) return `Two columns are to be the ${targets.find(({ value }) => value === twice)?.label.toLowerCase()}.`;
  const attributes = plan.filter(({ target }) => target === 'attribute').map(({ attribute }) => attribute.trim());
  if (attributes.includes('')) return 'Every attribute needs a name.';
  const same = attributes.find((name, at) => attributes.indexOf(name) !== at);
  if (same) return `Two columns are to be the attribute “${same}”.`;
  if (attributes.length > 50) return 'A contact has at most 50 attributes: leave some columns out.';
}

/** The plan as the API takes it. */
export function mappingOf(plan: ColumnPlan[]): Record<string, string> {
  const named = plan.filter(({ title }) => title.trim() !== '');
  return Object.fromEntries(
    named.map(({ title, target, attribute }) => [
      title,
      target === 'nothing' ? '' : target === 'attribute' ? attribute.trim() : target,
    ]),
  );
}
