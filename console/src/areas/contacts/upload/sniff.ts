/** What a look at the beginning of a CSV file tells. The server finds out the same by itself when it reads the whole. */
export interface Sniffed {
  encoding: 'UTF-8' | 'UTF-16' | 'Latin-1';
  delimiter: Delimiter;
  titles: string[];
  /** The first rows after the header. */
  rows: string[][];
}

export type Delimiter = ',' | ';' | '\t' | '|';

export const delimiters: { value: Delimiter; label: string }[] = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Vertical bar' },
];

const lookAt = 512 * 1024;
const mostRows = 6;

/** Reads the beginning of a file. Throws a sentence if it cannot be a CSV file. */
export async function sniff(file: File, wished?: Delimiter): Promise<Sniffed> {
  const bytes = new Uint8Array(await file.slice(0, lookAt).arrayBuffer());
  if (bytes.length === 0) throw new Error('The file is empty.');
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isZip) throw new Error('This is a spreadsheet or an archive. Save it as CSV first, then choose that file.');
  const { encoding, text } = decode(bytes, bytes.length < file.size);
  const delimiter = wished ?? delimiterOf(text);
  const [titles, ...rows] = recordsOf(text, delimiter, mostRows);
  if (!titles) throw new Error('The file has no line with the names of its columns.');
  return { encoding, delimiter, titles, rows };
}

function decode(bytes: Uint8Array<ArrayBuffer>, isCut: boolean): Pick<Sniffed, 'encoding'> & { text: string } {
  const wide = wideEncoding(bytes);
  if (wide) return { encoding: 'UTF-16', text: new TextDecoder(wide).decode(bytes) };
  try {
    // Where the look ends, a letter may be cut in two: that is no error.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return { encoding: 'UTF-8', text };
  } catch {
    return { encoding: 'Latin-1', text: new TextDecoder('windows-1252').decode(bytes) };
  }
}

/** UTF-16 has a mark; without one, ASCII in it has a zero in every other byte. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 200);
  const zeros = (rest: number) => sample.filter((byte, at) => byte === 0 && at % 2 === rest).length;
  const most = sample.length * 0.4;
  if (zeros(1) > most && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > most && zeros(1) === 0 ? 'utf-16be' : undefined;
}

/** The mark that the header has most of. */
function delimiterOf(text: string): Delimiter {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const marks: Delimiter[] = [',', ';', '\t'];
  return marks.reduce((best, mark) => (unquoted.split(mark).length > unquoted.split(best).length ? mark : best));
}

/** The first records of a text (RFC 4180); blank lines are passed over. */
export function recordsOf(text: string, delimiter: string, most: number): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  const endRecord = () => {
    cells.push(cell.trim());
    if (cells.length > 1 || cells[0] !== '') records.push(cells);
    cells = [];
    cell = '';
  };
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length && records.length < most; at++) {
    const letter = text[at]!;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (letter === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (letter === delimiter) {
      cells.push(cell.trim());
      cell = '';
    } else if (letter === '\n' || letter === '\r') endRecord();
    else cell += letter;
  }
  if (records.length < most && (cell !== '' || cells.length > 0)) endRecord();
  return records;
}
