// The person sees that what they wrote was read.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../kit/until.ts';
import { type CloudStage, startCloudStage } from './stage.ts';

let stage: CloudStage;
before(async () => {
  stage = await startCloudStage();
});
after(() => stage.close());

const person = '+34600777101';
const inbox = async (atLeast: number) =>
  until(`${atLeast} messages came`, async () => {
    const { body } = await stage.app.call(
      'GET',
      `/v2/chatapp/messages/?direction=INBOUND&from=${encodeURIComponent(person)}`,
    );
    return body.results.length >= atLeast ? body.results : undefined;
  });
const isRead = () =>
  [...stage.simulator.world.messages.values()]
    .filter(({ direction }) => direction === 'in')
    .map(({ readByBusiness }) => readByBusiness);
const read = (uuid: string, token = stage.app.token) =>
  stage.app.call('POST', `/v2/chatapp/messages/${uuid}/read/`, undefined, { token });

describe('POST /v2/chatapp/messages/{uuid}/read/', () => {
  it('the platform shows it and what came before as read; a second time changes nothing; nobody else may', async () => {
    await stage.simulator.person(person).writes('One');
    await inbox(1);
    await stage.simulator.person(person).writes('Two');
    const [two] = await inbox(2);
    assert.deepEqual(isRead(), [false, false]);
    assert.equal((await read(two.uuid, stage.app.otherToken)).status, 404);
    const answer = await read(two.uuid);
    assert.deepEqual([answer.status, answer.body], [200, two]);
    await until('both are read', async () => isRead().every(Boolean));
    assert.equal((await read(two.uuid)).status, 200);
    const { results } = (await stage.app.call('GET', `/v2/events/?subject=${two.uuid}&kind=message.marked_read`)).body;
    assert.equal(results.length, 1);
  });

  it('400 for a message of ours', async () => {
    const { body } = await stage.send({ to_chatapp_number: person, type: 'TEXT', text: { body: 'Hello' } });
    const answer = await read((body as unknown as { uuid: string }).uuid);
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { non_field_errors: ['Only messages that people wrote can be marked as read.'] }],
    );
  });
});
