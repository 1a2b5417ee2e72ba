import { Type } from 'typebox';
import type { Deps, Incidents } from '../../deps.ts';
import { international } from '../../platform/phone.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce, type EventData } from '../webhooks/index.ts';
import { safeguardCache } from './policy.ts';
import { type IncidentRow, insertIncidents, type NewIncident } from './queries.ts';
import { Incident, isHolding, presentIncident, type Rule } from './schemas.ts';

type Telling = Pick<Deps, 'db' | 'caches' | 'batches' | 'listener' | 'clock' | 'vault'>;

const gatheredMs = 500;
/** What waits to be written; a flood of refusals counts up a few of these. */
const most = 5_000;

/** Gathers refusals and writes them down together, apart from the requests that were refused. */
export function makeIncidents(deps: Telling & Pick<Deps, 'log'>): Incidents {
  let waiting = new Map<string, NewIncident>();
  let writing: Promise<void> = Promise.resolve();
  const write = (): Promise<void> => {
    const incidents = [...waiting.values()];
    waiting = new Map();
    if (incidents.length === 0) return writing;
    writing = writing
      .then(() => storeIncidents(deps, incidents))
      .catch((error: Error) => deps.log.warn({ error: error.message }, 'What safeguards refused could not be written'));
    return writing;
  };
  const timer = setInterval(() => void write(), gatheredMs).unref();
  return {
    note({ accountId, rule, channel, subject, ...rest }) {
      const key = [accountId, rule, channel, subject, rest.windowStart.getTime()].join('\n');
      const known = waiting.get(key);
      const refusedAt = deps.clock.now();
      if (known) Object.assign(known, { refused: known.refused + 1, refusedAt });
      else if (waiting.size < most) {
        const status = isHolding(rule) ? 'HELD' : 'NOTED';
        waiting.set(key, { accountId, rule: rule as Rule, channel, subject, status, refused: 1, refusedAt, ...rest });
      }
    },
    write,
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}

/** The first refusal of a window is told; those that follow are counted. */
const storeIncidents = (deps: Telling, incidents: NewIncident[]): Promise<void> =>
  within(deps, async (inside) => {
    const rows = await insertIncidents(inside.db, incidents);
    await tell(
      inside,
      rows.filter(({ is_new }) => is_new),
    );
    if (rows.some(({ is_new, status }) => is_new && status === 'HELD')) inside.caches.forget(safeguardCache);
  });

/** On the timeline, without the person, and to whoever listens. */
async function tell(deps: Telling, rows: IncidentRow[]): Promise<void> {
  const { db } = deps;
  const events = rows.map((row) => {
    const { uuid, rule, channel, subject, status, sender, recipient } = presentIncident(row);
    return { accountId: row.account_id, uuid, rule, channel, subject, status, sender, recipient };
  });
  await appendEvents(
    db,
    events.map(({ accountId, uuid, rule, channel, subject, status, sender }) => ({
      accountId,
      subjectType: 'safeguard',
      subject: uuid,
      kind: 'safeguard.refused',
      data: { rule, channel, status, sender, ...(!namesPerson(rule, subject) && { subject }) },
    })),
  );
  await announce(
    db,
    deps,
    events.map(({ accountId, recipient, ...data }) => ({
      accountId,
      type: 'safeguard.refused' as const,
      data: { ...data, recipient: international(recipient) },
    })),
  );
}

const namesPerson = (rule: string, subject: string): boolean => rule === 'HELP' || / RECIPIENT /.test(subject);

const { uuid, rule, channel, subject, status, sender, recipient } = Incident.properties;
const SafeguardRefused = Type.Object(
  { uuid, rule, channel, subject, status, sender, recipient },
  { title: 'SafeguardRefused' },
);

export const safeguardEvents = { 'safeguard.refused': SafeguardRefused } satisfies EventData;
