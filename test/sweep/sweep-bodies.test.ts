import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { TestApp } from '../kit/app.ts';
import { badBodies, unstorableBodies } from './bad-bodies.ts';
import { answerChecker } from './documented-answer.ts';
import { rowWatch } from './rows.ts';
import { addressOf, assertRefusal, type Operation, operations, startSurface, title } from './surface.ts';

/** Another one at every run; `SEED=… npm test` repeats the run that failed, whose message names it. */
const seed = Number(process.env['SEED'] || Date.now() % 2 ** 31);

interface BodySchema {
  properties?: object;
  oneOf?: BodySchema[];
  items?: BodySchema;
}

/** The fields a body may have, whatever its variant. */
const fieldsOf = ({ properties = {}, oneOf = [] }: BodySchema): string[] => [
  ...new Set([...Object.keys(properties), ...oneOf.flatMap(fieldsOf)]),
];

describe('A dozen bad bodies for each operation', () => {
  let app: TestApp;
  let token: string;
  before(async () => {
    app = await startSurface();
    // Not the operator's: a generated body must not be able to lower the limits of this very account.
    const made = await app.call('POST', '/v2/auth/tokens/', { name: 'Sweep', scopes: ['read', 'write'] });
    token = made.body.token;
  });
  after(() => app.close());

  const check = answerChecker();
  const tokenFor = ({ scope }: Operation) => (scope === 'operator' ? app.token : token);

  for (const operation of operations.filter(({ body }) => body)) {
    it(`${title(operation)} › 400 for NUL and lone surrogates wherever they stand`, async () => {
      const address = await addressOf(app, operation);
      const look = await rowWatch(app.deps.db);
      const before = await look();
      for (const body of unstorableBodies(operation.example, fieldsOf(operation.body as BodySchema))) {
        const answer = await app.call(operation.method, address, body, { token: tokenFor(operation) });
        assert.equal(answer.status, 400, JSON.stringify(body));
        assertRefusal(answer);
      }
      assert.deepEqual(await look(), before);
    });

    it(`${title(operation)} › 4xx with the field named and nothing written, or the documented answer`, async () => {
      const address = await addressOf(app, operation);
      const look = await rowWatch(app.deps.db);
      let before = await look();
      let refused: unknown[] = [];
      const lookAgain = async () => {
        const now = await look();
        assert.deepEqual(now, before, `one of these was refused, and yet wrote something: ${JSON.stringify(refused)}`);
        refused = [];
      };
      const bodies = badBodies(operation.example, fieldsOf(operation.body as BodySchema));
      const property = fc.asyncProperty(bodies, async (body) => {
        const answer = await app.call(operation.method, address, body, { token: tokenFor(operation) });
        if (answer.status < 300) {
          before = await look();
          refused = [];
          return check(operation, answer);
        }
        assertRefusal(answer);
        refused.push(body);
        // A look at all tables takes ten times as long as the request.
        if (refused.length === 10) await lookAgain();
      });
      await fc.assert(property, { numRuns: 12, seed });
      await lookAgain();
    });
  }
});
