// A process that dies takes its calls with it; their records are closed from what is known. Proved on the real program.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { killTree, type Parley, startParley } from './parley-process.ts';

const token = 'voice-crash-token';
const patienceMs = 60_000;
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 3 * patienceMs };

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
async function ask(address: string, body?: object): Promise<any> {
  const answer = await fetch(address, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(answer.ok, `${address} answered ${answer.status}`);
  return answer.json();
}

async function reaches(address: string, status: string) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const call = await ask(address);
    if (call.status === status) return call;
    assert.ok(Date.now() < deadline, `it stays ${call.status}`);
    await sleep(100);
  }
}

describe('Parley killed during calls', linuxOnly, () => {
  let parley: Parley | undefined;
  let parent: string;
  after(async () => {
    if (parley) await killTree(parley.pid, path.join(parent, 'data'));
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  it('closes their records when it is started again: who talked has talked, who rang has failed', async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'parley-voice-crash-'));
    const dataDir = path.join(parent, 'data');
    parley = startParley(dataDir, { BOOTSTRAP_TOKEN: token });
    const url = (await parley.ready()).replace(/\/$/, '');
    const callTo = async (number: string, target_number: string): Promise<string> => {
      await ask(`${url}/v2/number/`, { number, target_number });
      const { uuid } = await ask(`${url}/v2/sandbox/calls/`, { from: '+447700900123', to: number });
      return `/v2/voice/calls/${uuid}/`;
    };
    const talking = await callTo('+442079460101', '+447700909050');
    const ringing = await callTo('+442079460102', '+447700909052');
    await reaches(url + talking, 'IN_PROGRESS');
    await killTree(parley.pid, dataDir);

    parley = startParley(dataDir, { BOOTSTRAP_TOKEN: token });
    const again = (await parley.ready()).replace(/\/$/, '');
    const [talked, rang] = [await reaches(again + talking, 'ENDED'), await reaches(again + ringing, 'ENDED')];
    assert.deepEqual([talked.result, rang.result], ['ANSWERED', 'FAILED']);
    assert.match(talked.description, /interrupted/);
    assert.ok(talked.talk_seconds <= 20);
    const { results } = await ask(`${again}/v2/cdr/`);
    assert.equal(results.length, 2);
  });
});
