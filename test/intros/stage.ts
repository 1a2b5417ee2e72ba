import assert from 'node:assert/strict';
import { startTestApp, type TestAnswer, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted by the tests
type Any = any;

/** The sandbox with people in it: A who opens links and writes, B who is notified, and the business between them. */
export interface IntroStage {
  app: TestApp;
  business: string;
  createIntro(fields: object): Promise<Any>;
  /** Opens a link as a person does; answers where it leads. */
  opens(link: string): Promise<{ status: number; to: URL | undefined }>;
  writes(from: string, message: string | object, more?: object): Promise<Any>;
  /** What a phone shows, once it shows that much. */
  phone(number: string, atLeast: number): Promise<Any[]>;
  session(intro: string): Promise<Any>;
  /** The session, once it has that status. */
  reaches(intro: string, status: string): Promise<Any>;
  logs(intro: string): Promise<Any[]>;
  advance(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function startIntroStage(env: Record<string, string> = {}): Promise<IntroStage> {
  const app = await startTestApp({ PUBLIC_URL: 'https://parley.example', ...env });
  const business = '+447700900001';
  const ok = ({ status, body }: TestAnswer): Any => {
    assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
    return body;
  };
  const stage: IntroStage = {
    app,
    business,
    createIntro: async (fields) =>
      ok(await app.call('POST', '/v2/chatapp/chat-intros/', { chatapp_number: business, ...fields })),
    async opens(link) {
      const place = link.slice(link.indexOf('/l/'));
      const headers = {
        'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari',
      };
      const { status, headers: answered } = await app.call('GET', place, undefined, { token: null, headers });
      const to = answered['location'] as string | undefined;
      return { status, to: to === undefined ? undefined : new URL(to) };
    },
    writes: async (from, message, more = {}) =>
      ok(
        await app.call('POST', '/v2/sandbox/chatapp/messages/', {
          from,
          to: business,
          ...(typeof message === 'string' ? { text: { body: message } } : message),
          ...more,
        }),
      ),
    phone: (number, atLeast) =>
      until(`${number} shows ${atLeast} messages`, async () => {
        const { results } = ok(await app.call('GET', `/v2/sandbox/phones/${encodeURIComponent(number)}/`));
        return results.length >= atLeast ? results : undefined;
      }),
    async session(intro) {
      const { results } = ok(await app.call('GET', `/v2/chatapp/chat-intros/${intro}/sessions/`));
      return results[0];
    },
    reaches: (intro, status) =>
      until(`the session is ${status}`, async () => {
        const session = await stage.session(intro);
        return session?.status === status ? session : undefined;
      }),
    logs: async (intro) =>
      ok(await app.call('GET', `/v2/chatapp/chat-intros/${intro}/logs/?ordering=created&page_size=200`)).results,
    advance: async (seconds) => {
      ok(await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: seconds }));
    },
    close: () => app.close(),
  };
  return stage;
}
