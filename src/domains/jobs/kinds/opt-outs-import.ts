import { Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { countryOf } from '../../accounts/index.ts';
import { OptOutCreate, optOutEach, presentOptOut } from '../../optouts/index.ts';
import { type Line, lineBatches, openUpload } from '../files/csv-file.ts';
import type { Kind, Verdict } from '../kind.ts';
import type { NewResult } from '../result-queries.ts';
import { itemKind, type Perform, performAll, resultsOf } from '../running/items.ts';
import type { Progress, Work } from '../running/work.ts';

const perform =
  (source: 'API' | 'CSV'): Perform<OptOutCreate> =>
  async (deps, accountId, items) => {
    const people = items.map(({ phone_number, channel = 'ALL', text = '' }) => ({
      phone_number,
      channel,
      text,
      source,
    }));
    const rows = await optOutEach(deps, accountId, people);
    return rows.map((row) => ({ status: 'fulfilled', value: presentOptOut(row) }));
  };

const batchSize = 500;

const ofList = itemKind({
  type: 'opt_outs.import',
  scope: 'optouts:write',
  Input: Type.Object(
    { opt_outs: Type.Array(OptOutCreate, { minItems: 1, maxItems: 10_000 }) },
    { title: 'OptOutsImportInput' },
  ),
  batchSize,
  itemsOf: ({ opt_outs }) => opt_outs,
  perform: perform('API'),
});

/** Opts people out: those of a list, or of an uploaded file with the columns phone_number, channel and text. */
export const optOutsImport: Kind = {
  ...ofList,
  async checkFile(_deps, _accountId, file, input) {
    for await (const _ of lineBatches(file, { ...readingOf(input), skip: 0 })) return;
  },
  run: (work) => ('opt_outs' in (work.input as object) ? ofList.run(work) : runFile(work)),
};

const readingOf = (input: unknown) => ({
  needed: 'phone_number',
  size: batchSize,
  delimiter: (input as { delimiter?: string }).delimiter,
});

async function runFile(work: Work): Promise<Verdict> {
  const reading = { ...readingOf(work.input), skip: work.done };
  for await (const lines of lineBatches(await openUpload(work), reading)) {
    const verdict = await work.step((deps, done) => importLines(deps, work.accountId, lines, done));
    if (verdict === 'stop') return 'stop';
  }
  return 'go';
}

/** Only lines that were refused have a result of their own: a file may have millions. */
async function importLines(deps: Deps, accountId: string, lines: Line[], done: number): Promise<Progress> {
  const good: { line: number; item: OptOutCreate }[] = [];
  const refused: NewResult[] = [];
  const country = await countryOf(deps, accountId);
  for (const line of lines) {
    const item = 'cells' in line ? optOutOf(line.cells) : undefined;
    const errors = 'error' in line ? { non_field_errors: [line.error] } : problemsOf(item, country);
    if (errors) refused.push({ index: line.line, ok: false, value: errors });
    else good.push({ line: line.line, item: item as OptOutCreate });
  }
  const items = good.map(({ item }) => item);
  const outcomes = items.length === 0 ? [] : await performAll(deps, accountId, items, perform('CSV'));
  resultsOf(deps, outcomes, 0).forEach((result, place) => {
    if (!result.ok) refused.push({ ...result, index: good[place]!.line });
  });
  const counts = { succeeded: lines.length - refused.length, failed: refused.length };
  return { done: done + lines.length, counts, results: refused };
}

const problemsOf = bodyValidator(OptOutCreate);

/** An empty cell says nothing. */
const optOutOf = ({ phone_number, channel, text }: Record<string, string>): unknown => ({
  phone_number,
  ...(channel && { channel: channel.toUpperCase() }),
  ...(text && { text }),
});
