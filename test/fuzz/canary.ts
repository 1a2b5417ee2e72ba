import { until } from '../kit/until.ts';
import type { Target } from './target.ts';

/**
 * What is sent properly is carried out: the server is ready, and a message leaves. Its sender, recipient and template are new, since
 * cases pause senders, opt people out, set faults and switch the sandbox off, as they may.
 */
export async function awaitService(target: Target, round: number): Promise<void> {
  await until('the server is ready', async () => (await target.ask({ method: 'GET', path: '/readyz' })).status === 200);
  await target.must('PATCH', '/v2/account/', { sandbox: 'adopt' });
  await target.must('DELETE', '/v2/sandbox/faults/');
  const { uuid } = await target.must('POST', '/v2/chatapp/messages/', {
    chatapp_number: `+44770080000${round}`,
    to_chatapp_number: `+44770081000${round}`,
    type: 'TEMPLATE',
    template: { template_name: `canary_${round}` },
  });
  await until('a message leaves', async () => {
    const { status } = await target.must('GET', `/v2/chatapp/messages/${uuid}/`);
    return ['SENT', 'DELIVERED', 'READ'].includes(status);
  });
}
