import { appendFileSync } from 'node:fs';
import type { TestAnswer } from '../kit/app.ts';
import type { Operation } from './surface.ts';

/** Names the file that answers are written to, one in a line: the examples of the OpenAPI document (`scripts/record-examples.ts`). */
const file = process.env['RECORD_EXAMPLES'];

/** Writes an answer down that was just found to be as documented, if anybody asked for it. */
export function record({ operationId }: Operation, { status, body, headers }: TestAnswer): void {
  if (file === undefined || !/[/+]json\b/.test(String(headers['content-type']))) return;
  appendFileSync(file, `${JSON.stringify({ operationId, status, body })}\n`);
}
