const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;
/** One that is not of those which nobody has, as films use them. */
const madeUpPhone = /\+44(?!7700900|207946|113496)\d{10}\b/g;
const rowsShown = 2;
const mostItems = 12;

/** Secrets are not shown, even those of a test. */
const byName: Record<string, string> = {
  token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  host: 'parley-1',
  request_id: 'dx8vyvhy-2al',
  username: 'ada',
  otpauth_url:
    'otpauth://totp/Parley%20(Acme):ada?issuer=Parley%20(Acme)&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  challenge: 'dGhlIHNlcnZlciBtYWRlIHRoaXMgdXA',
};

/** What depends on the machine and the moment. */
const numbers: Record<string, number> = { pid: 4242, random: 0.42 };

/** A name that was made up: letters and digits, among them those that no word has. */
const isCode = /^(?=.*[2-9bcdfghjklmnpqrstvwxyz]{6})[2-9b-z]{10}$/;

/** The answer with the same values in every run: ids are numbered as they come, times stand still, lists are short. */
export function steady(answer: unknown): unknown {
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `019a3c5e-7a10-7000-8000-${String(ids.size + 1).padStart(12, '0')}`);
    return ids.get(id)!;
  };
  const phones = new Map<string, string>();
  const phoneOf = (phone: string): string => {
    if (!phones.has(phone)) phones.set(phone, `+4420794600${String(phones.size + 21).padStart(2, '0')}`);
    return phones.get(phone)!;
  };
  const ofText = (text: string): string =>
    text
      .replaceAll(madeUpPhone, phoneOf)
      .replaceAll(uuid, idOf)
      .replaceAll(moment, '2026-11-15T09:30:00.123456Z')
      .replaceAll(/https?:\/\/(localhost|127\.0\.0\.1):\d+/g, 'https://parley.example.com')
      .replaceAll(/\/l\/[2-9b-z]{10}/g, '/l/k7m2q9xw4t')
      .replaceAll(/([?&]cursor=)[^&]+/g, '$1eyJhIjoxfQ')
      .replaceAll(/^(smpp|sip) [2-9a-z]{6}$/g, '$1 main')
      .replaceAll(/^[2-9a-z]{4}(-[2-9a-z]{4}){3}$/g, 'k7wq-m2xh-9tdp-4bfn')
      .replaceAll(/^\d{4}-\d\d-\d\d$/g, '2026-11-15');
  const of = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') {
      if (name === 'secret' && /^[A-Z2-7]{32}$/.test(value)) return 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
      if (name in byName && value !== '') return byName[name];
      return isCode.test(value) || (/short_?code$/.test(name) && value !== '') ? 'k7m2q9xw4t' : ofText(value);
    }
    if (Array.isArray(value)) return value.slice(0, mostItems).map((one) => of(one));
    if (typeof value === 'number') return Object.hasOwn(numbers, name) ? numbers[name] : value;
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.fromEntries(Object.entries(value).map(([key, one]) => [ofText(key), of(one, key)]));
    return Array.isArray(fields['results']) && 'next' in fields ? page(fields, fields['results']) : fields;
  };
  return of(answer);
}

/** A page that is whole with the rows that it shows. */
const page = (fields: object, results: unknown[]) => {
  const shown = results.slice(0, rowsShown);
  return { ...fields, count: shown.length, next: null, previous: null, results: shown };
};
