import assert from 'node:assert/strict';
import { until } from '../until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Any = any;

interface Api {
  call(
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    options?: { token?: string | null; headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Record<string, Any>; body: Any }>;
}

/** What a test does with jobs through the API. */
export const stageOf = (app: Api) => ({
  async submit(type: string, input: unknown, more: object = {}): Promise<string> {
    const answer = await app.call('POST', '/v3/jobs/', { type, input, ...more });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return answer.body.id;
  },
  job: async (id: string): Promise<Any> => (await app.call('GET', `/v3/jobs/${id}/`)).body,
  ended(id: string): Promise<Any> {
    return until(
      () => this.job(id),
      ({ finished }) => finished !== null,
    );
  },
  /** All results, page after page. */
  async results(id: string, query = ''): Promise<Any[]> {
    const all: Any[] = [];
    for (let url: string | null = `/v3/jobs/${id}/results/?page_size=200${query}`; url; ) {
      const { status, body } = await app.call('GET', url);
      assert.equal(status, 200, JSON.stringify(body));
      all.push(...body.results);
      url = body.next;
    }
    return all;
  },
});

const boundary = 'jobs-boundary';

/** A form with a file and fields, as the body of a request and its type. */
export function formOf(file: string | Buffer, fields: Record<string, string> = {}) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\n`;
  const payload = Buffer.concat([
    Buffer.from(parts.join('') + head),
    Buffer.from(file as string),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
