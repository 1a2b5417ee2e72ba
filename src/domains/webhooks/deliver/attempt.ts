import type { Deps } from '../../../deps.ts';
import { newId } from '../../../platform/ids.ts';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/client.ts';
import { Unreadable, type Vault } from '../../../platform/secrets.ts';
import type { Claimed, Outcome, Waiting } from './queue.ts';
import { nextAttempt, slowDownUntil } from './schedule.ts';
import { signedHeaders } from './sign.ts';

const timeoutMs = 15_000;
const mostResponseBytes = 1024;
export const goneStatus = 410;

/** Sends one delivery once, and says how that ended. */
export async function attemptDelivery(
  { clock, vault }: Pick<Deps, 'clock' | 'vault'>,
  outbound: Outbound,
  endpoint: Waiting,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<Outcome> {
  const at = clock.now();
  const startedMs = performance.now();
  const send = async (): Promise<OutboundAnswer> => {
    const body = claimed.payload;
    const timestampSeconds = Math.floor(at.getTime() / 1000);
    const secrets = openedOf(vault, secretsAt(endpoint, at));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhooks/1.0',
      ...signedHeaders({ id: claimed.event, timestampSeconds, body }, secrets),
    };
    return outbound.post({ url: endpoint.url, headers, body, timeoutMs, mostBytes: mostResponseBytes, signal });
  };
  const answer = await send().catch((error: Error) => error);
  return {
    accountId: endpoint.account_id,
    endpoint: endpoint.uuid,
    delivery: claimed.uuid,
    attempt: newId(),
    at,
    durationMs: Math.round(performance.now() - startedMs),
    ...meaningOf(answer, claimed.attempts + 1, clock.now()),
  };
}

/** What an answer, or none, means for the delivery. Only 2xx is success; a redirect is a failure like any other. */
export function meaningOf(answer: OutboundAnswer | Error, attempts: number, now: Date) {
  if (answer instanceof Error) {
    const error = answer.message || answer.name;
    const next = nextAttempt(attempts, now);
    return { statusCode: null, response: '', error, succeeded: false, nextAttempt: next, pausedUntil: null };
  }
  const { status, text: response } = answer;
  if (status >= 200 && status < 300) {
    return { statusCode: status, response, error: '', succeeded: true, nextAttempt: null, pausedUntil: null };
  }
  const pausedUntil = slowDownUntil(status, answer.headers['retry-after'], now);
  const scheduled = status === goneStatus ? null : nextAttempt(attempts, now);
  const next = scheduled && pausedUntil && pausedUntil > scheduled ? pausedUntil : scheduled;
  const error = `The endpoint answered ${status}.`;
  return { statusCode: status, response, error, succeeded: false, nextAttempt: next, pausedUntil };
}

/** After a rotation, one that can be read is enough. */
function openedOf(vault: Pick<Vault, 'open'>, sealed: string[]): string[] {
  const opened = sealed.flatMap((one) => {
    try {
      return [vault.open(one)];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return [];
    }
  });
  if (opened.length === 0) throw new Error('Its secret cannot be decrypted with this SECRET_KEY. Rotate it.');
  return opened;
}

/** The secrets that sign at this moment: the current one, and after a rotation the one before it. */
const secretsAt = ({ secret, previous_secret, previous_secret_until }: Waiting, now: Date): string[] =>
  previous_secret !== null && previous_secret_until !== null && Date.parse(previous_secret_until) > now.getTime()
    ? [secret, previous_secret]
    : [secret];
