/** A row of a file, by its columns. */
export type CsvRow = Record<string, unknown>;

/** The text of a CSV file, a piece for each chunk of rows. The header comes with the first of them, or alone if there is none. */
export async function* csvText(
  columns: readonly string[],
  chunks: AsyncIterable<readonly CsvRow[]>,
): AsyncGenerator<string> {
  let header = csvLine(columns);
  for await (const rows of chunks) {
    yield header + rows.map((row) => csvLine(columns.map((column) => row[column]))).join('');
    header = '';
  }
  if (header !== '') yield header;
}

/** RFC 4180: commas, CRLF, quotes around whatever holds one of these. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(csvCell).join()}\r\n`;

const needsQuotes = /[",\r\n]|^\s|\s$/;

function csvCell(value: unknown): string {
  const text = textOf(value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return defused(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// Full-width signs count too: spreadsheets of some languages read them as the plain ones.
const formula = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
// A phone number: digits calculate nothing, and a number with an apostrophe is no number any more.
const phoneNumber = /^\+\d[\d ]*$/;

/** Texts come from strangers, and a spreadsheet would run one that looks like a formula. An apostrophe makes it text. */
const defused = (text: string): string => (formula.test(text) && !phoneNumber.test(text) ? `'${text}` : text);
