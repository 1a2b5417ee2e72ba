import { makePdu } from '../codec/index.ts';
import { type ManualTiming, makeManualTiming, type RawPeer, startRawPeer } from '../testing.ts';
import { openSession } from './connect.ts';
import type { Session, SessionOptions } from './session.ts';

/** A session of ours, a peer that does what the test tells it, and time that stands still. */
export interface SessionStage {
  peer: RawPeer;
  timing: ManualTiming;
  open(options?: Partial<SessionOptions>): Promise<Session>;
  close(): Promise<void>;
}

export async function startSessionStage(): Promise<SessionStage> {
  const peer = await startRawPeer();
  const timing = makeManualTiming();
  const sessions: Session[] = [];
  const to = { host: '127.0.0.1', port: peer.port, systemId: 'parley', password: 'secret' };
  return {
    peer,
    timing,
    async open(options) {
      const handles = ['deliver_sm', 'data_sm'] as const;
      const given = { timing, handles, handle: async () => undefined, ...options };
      const session = await openSession(to, 'transceiver', given);
      sessions.push(session);
      return session;
    },
    async close() {
      for (const session of sessions) session.destroy('The test is over.');
      await peer.close();
    },
  };
}

export const submit = (session: Session, text = 'hi') =>
  session.request('submit_sm', { destination_addr: '34600111222', short_message: Buffer.from(text) });

export const answerTo = ({ sequence }: { sequence: number }, id: string) =>
  makePdu('submit_sm_resp', { sequence, message_id: id });
