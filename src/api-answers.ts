import { readFileSync } from 'node:fs';

/**
 * Real answers, as examples for the OpenAPI document: by the id of the operation and the status. `npm run examples` records them from
 * the test that tries every operation.
 */
export const readAnswers = (): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(new URL('./api-answers.json', import.meta.url), 'utf8'));
