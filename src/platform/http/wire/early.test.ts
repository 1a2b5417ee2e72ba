import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { makeLog } from '../../log.ts';
import { makeEarlyAnswers } from './early.ts';

const log = makeLog({ level: 'silent', pretty: false });

describe('an early answer that fails', () => {
  const failing = {
    'at once': () => {
      throw new Error('broken at once');
    },
    'a moment later': async () => {
      await Promise.resolve();
      throw new Error('broken later');
    },
  };
  for (const [when, answer] of Object.entries(failing)) {
    it(`${when}: 500 with the id of the request, and the next request is answered`, async () => {
      const early = makeEarlyAnswers({ idOf: () => 'an-id', newId: () => 'another', log });
      const app = Fastify({ serverFactory: early.serverFactory });
      early.attach(app);
      app.get('/', async () => 'here');
      app.answerEarly('/', (request, response, newId) =>
        request.url === '/early' ? answer() : request.url === '/begun' ? begin(response, answer, newId()) : false,
      );
      const url = await app.listen({ port: 0 });
      try {
        const failed = await fetch(`${url}/early`);
        assert.equal(failed.status, 500);
        assert.equal(failed.headers.get('x-request-id'), 'an-id');
        const { code, request_id } = (await failed.json()) as Record<string, string>;
        assert.deepEqual([code, request_id], ['internal_error', 'an-id']);
        await assert.rejects(fetch(`${url}/begun`).then((begun) => begun.text()));
        assert.equal(await (await fetch(url)).text(), 'here');
      } finally {
        await app.close();
      }
    });
  }
});

/** Half an answer, and then nothing more to say. */
function begin(
  response: { writeHead(status: number): { write(text: string): void } },
  answer: () => Promise<boolean>,
  _id: string,
): Promise<boolean> {
  response.writeHead(200).write('half');
  return answer();
}
