import assert from 'node:assert/strict';
import { until } from '../until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape and assert what they find
type Body = any;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Call = (method: Method, url: string, body?: unknown) => Promise<{ status: number; body: Body }>;

/** What tests of campaigns say again and again. */
export function campaigner(app: { call: Call }) {
  const make = async (url: string, body: object): Promise<Body> => {
    const answer = await app.call('POST', url, body);
    assert.equal(answer.status, 201, `${url}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  let lists = 0;
  const log = async (uuid: string): Promise<Body> => (await app.call('GET', `/v2/campaign-logs/${uuid}/`)).body;
  return {
    make,
    log,
    /** A list of new contacts with these numbers. */
    async list(phone_numbers: string[]): Promise<string> {
      const { uuid } = await make('/v2/lists/', { name: `List ${++lists} ${Math.random()}` });
      if (phone_numbers.length === 0) return uuid;
      const added = await app.call('POST', `/v2/lists/${uuid}/contacts/`, { phone_numbers });
      assert.ok(added.status < 300, JSON.stringify(added.body));
      return uuid;
    },
    async campaign(lists: string[], more: object = {}): Promise<string> {
      const template = { template_name: 'offer' };
      const usual = { name: 'Offer', channel: 'CHATAPP', sender: '+447700900001', lists };
      return (await make('/v2/campaigns/', { ...usual, ...('text' in more ? {} : { template }), ...more })).uuid;
    },
    launch: async (campaign: string, body: object = {}): Promise<string> =>
      (await make(`/v2/campaigns/${campaign}/launch/`, body)).uuid,
    steer: (campaign: string, verb: string) => app.call('POST', `/v2/campaigns/${campaign}/${verb}/`),
    /** The launch, once it is as wanted. */
    until: (uuid: string, isSo: (log: Body) => boolean): Promise<Body> => until(() => log(uuid), isSo),
    ended: (status: string) => (now: Body) => now.status === status,
    async phone(number: string): Promise<Body[]> {
      return (await app.call('GET', `/v2/sandbox/phones/${encodeURIComponent(number)}/`)).body.results;
    },
    advance: (advance_seconds: number) => app.call('POST', '/v2/sandbox/clock/', { advance_seconds }),
  };
}

/** Everybody of the audience counts once. */
export function assertAddsUp(log: Body): void {
  const { queued, held, sent, delivered, read, failed, cancelled, opted_out, skipped } = log;
  const sum = queued + held + sent + delivered + read + failed + cancelled + opted_out + skipped;
  assert.equal(sum, log.audience, JSON.stringify(log));
  const reasons: number[] = Object.values(log.skipped_by_reason);
  assert.equal(
    reasons.reduce((total, count) => total + count, 0),
    skipped,
  );
}
