import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './target.ts';

const patienceMs = 120_000;

/** What is sent properly is carried out: the server is ready, a message becomes READ, an SMS is delivered. */
export async function awaitService(target: Target): Promise<void> {
  await until('the server is ready', async () => (await target.ask({ method: 'GET', path: '/readyz' })).status === 200);
  const { uuid } = await target.must('POST', '/v2/chatapp/messages/', {
    chatapp_number: '+447700900001',
    to_chatapp_number: '+447700900777',
    type: 'TEMPLATE',
    template: { template_name: 'canary' },
  });
  await until('a message is READ', async () => {
    const { status } = await target.must('GET', `/v2/chatapp/messages/${uuid}/`);
    return status === 'READ';
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`It did not happen within two minutes that ${what}.`);
    await sleep(100);
  }
}
