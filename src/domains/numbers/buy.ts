import type { Deps } from '../../deps.ts';
import { ApiError, type FieldErrors } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { readPhone } from '../../platform/phone.ts';
import { within } from '../../platform/within.ts';
import { countryOf } from '../accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { newSpeechErrors, refuseErrors, repeatErrors, webhookErrors } from './check.ts';
import { fictionFor, takeFromPool, type Want } from './pool/queries.ts';
import { insertNumbers, type NumberRow } from './queries.ts';
import { type NumberCreate, presentNumber } from './schemas.ts';
import { completeSettings } from './settings.ts';

/** Buys a number for each request, in their order: all of them, or none and an error. */
export const buyNumbers = (deps: Deps, accountId: string, requests: NumberCreate[]): Promise<NumberRow[]> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const country = await countryOf(deps, accountId);
    const wants = requests.map((request) => wantOf(request, country));
    const repeats = repeatErrors(wants.map(({ digits }) => digits));
    const webhooks = await webhookErrors(db, accountId, requests);
    refuseErrors(countryErrors(requests), repeats, webhooks, await newSpeechErrors(deps, requests));
    const taken = await takeFromPool(db, wants, await fictionFor(deps, accountId));
    const numbers = taken.map((number, place) => {
      if (!number) throw new ApiError('no_numbers_available');
      return { uuid: newId(), ...number, ...completeSettings(requests[place]!) };
    });
    const rows = await insertNumbers(db, accountId, numbers, country);
    await appendEvents(
      db,
      rows.map(({ uuid, number }) => ({
        accountId,
        subjectType: 'number',
        subject: uuid,
        kind: 'number.assigned',
        data: { number },
      })),
    );
    await announce(
      db,
      deps,
      rows.map((row) => ({
        accountId,
        type: 'number.assigned',
        data: presentNumber(row),
        numberWebhooks: row.webhooks,
      })),
    );
    return rows;
  });

/** What is missing where neither a number nor a country is given. */
export const countryErrors = (requests: NumberCreate[]): FieldErrors[] =>
  requests.map(
    ({ number, country_code }): FieldErrors =>
      number === undefined && country_code === undefined ? { country_code: ['This field is required.'] } : {},
  );

const wantOf = ({ number, country_code, prefix, capabilities }: NumberCreate, country: string): Want => ({
  digits: number === undefined ? undefined : readPhone(number, country),
  country: country_code,
  prefix,
  // Who asks for one exact number takes it with what it can do.
  capabilities: capabilities?.toSorted() ?? (number === undefined ? ['SMS', 'VOICE'] : []),
});
