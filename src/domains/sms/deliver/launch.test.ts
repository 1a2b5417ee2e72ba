import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { idOf, receipt, type Stage, startStage } from '../../../../test/kit/sms/sms-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import { newId } from '../../../platform/ids.ts';
import { addTallies, readTallies } from '../../tallies/index.ts';
import { cancelLaunch, lastEnded, pauseLaunch, receiveSms, resumeLaunch, sendSmsAll } from '../index.ts';

let app: TestApp;
let stage: Stage;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  stage = await startStage(app);
});
after(async () => {
  await stage.stop();
  await app.close();
});

let people = 0;
/** As the feeder of campaigns does: the messages, and `queued` of the launch. */
async function feed(campaignLog: string, count: number, text = 'Open on Sunday.'): Promise<string[]> {
  const results = await sendSmsAll(
    app.deps,
    Array.from({ length: count }, () => ({
      accountId: app.accountId,
      request: { from: 'Parley', to: `+4477${String(++people).padStart(8, '0')}`, text },
      campaignLog,
    })),
  );
  await addTallies(app.deps.db, [{ accountId: app.accountId, subject: campaignLog, name: 'queued', count }]);
  return results.map((result) => (result.status === 'fulfilled' ? result.value.uuid : assert.fail('refused')));
}

const talliesOf = async (campaignLog: string): Promise<Record<string, number>> => {
  const tallies = (await readTallies(app.deps.db, app.accountId, [campaignLog])).get(campaignLog)!;
  return Object.fromEntries([...tallies].filter(([, count]) => count !== 0).toSorted());
};
const untilTallies = (campaignLog: string, wanted: Record<string, number>) =>
  until(
    () => talliesOf(campaignLog),
    (found) => JSON.stringify(found) === JSON.stringify(wanted),
  );

describe('the SMS of a launch', () => {
  it('count once each, as what they are now, whichever way they got there', async () => {
    const launch = newId();
    // The first feeding of all: the people are 1 to 10.
    stage.peer.answer = ({ to }, take) => {
      if (to.endsWith('1')) return { kind: 'rejected', parts: [], code: '11', description: 'No such number.' };
      return to.endsWith('2') ? { kind: 'unknown', parts: [], description: 'No answer.' } : take();
    };
    const uuids = await feed(launch, 10);
    await untilTallies(launch, { failed: 1, queued: 1, sent: 8 });
    // One of a single part goes the short way; one that failed, one that comes twice and one whose answer was lost do not.
    await stage.receive([receipt(idOf(uuids[3]!, 1), 'DELIVERED'), receipt(idOf(uuids[4]!, 1), 'FAILED')]);
    await stage.receive([receipt(idOf(uuids[5]!, 1), 'DELIVERED'), receipt(idOf(uuids[5]!, 1), 'DELIVERED')]);
    await stage.receive([receipt('late', 'DELIVERED', { about: { uuid: uuids[1]!, part: 1 } })]);
    await stage.receive([receipt(idOf(uuids[3]!, 1), 'DELIVERED')]);
    assert.deepEqual(await talliesOf(launch), { delivered: 3, failed: 2, sent: 5 });
    stage.peer.answer = (_message, take) => take();
  });

  it('of several parts, whose receipts overtake the answer, count the same', async () => {
    const launch = newId();
    stage.peer.answer = async ({ uuid }, take) => {
      await stage.receive([receipt(idOf(uuid, 1), 'DELIVERED'), receipt(idOf(uuid, 2), 'DELIVERED')]);
      return take();
    };
    await feed(launch, 2, 'x'.repeat(200));
    await untilTallies(launch, { delivered: 2 });
    stage.peer.answer = (_message, take) => take();
  });

  it('to people who opted out since are counted apart', async () => {
    const launch = newId();
    await stage.setOpen(false);
    await feed(launch, 2);
    await app.call('POST', '/v2/opt-outs/', {
      phone_number: `+4477${String(people).padStart(8, '0')}`,
      channel: 'SMS',
    });
    await stage.setOpen(true);
    await untilTallies(launch, { opted_out: 1, sent: 1 });
    const ended = await lastEnded(app.deps.db, app.accountId, launch, { most: 2 });
    assert.deepEqual(
      ended.map(({ failure_code }) => failure_code),
      ['recipient_opted_out', null],
    );
  });

  it('that are paused stay queued, also one that was on its way and comes back; resumed, all leave', async () => {
    const launch = newId();
    const other = newId();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      stage.peer.answer = async (_message, take) => {
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        stage.peer.answer = (_other, takeIt) => takeIt();
        return { ...take([]), kind: 'retry', description: 'Busy.', afterMs: 0 };
      };
    });
    const [first] = await feed(launch, 1);
    await asked;
    await stage.setOpen(false);
    const rest = await feed(launch, 3);
    await pauseLaunch(app.deps.db, app.accountId, launch);
    await stage.setOpen(true);
    answer();
    await feed(other, 1);
    await untilTallies(other, { sent: 1 });
    await until(
      () => stage.record(first!),
      ({ status_description }) => status_description === 'Busy.',
    );
    const [state] = await app.deps.db.selectFrom('sms_states').selectAll().where('uuid', '=', first!).execute();
    assert.deepEqual([state!.status, state!.priority, state!.claimed_by], ['QUEUED', 2, null]);
    const [link] = (await app.call('GET', '/v2/network-status/sms/')).body.results;
    assert.equal(link.queue_depth, 0);
    assert.equal((await app.call('DELETE', `/v2/send-sms/${rest[0]}/`)).status, 204);
    await resumeLaunch(app.deps.db, app.accountId, launch);
    await untilTallies(launch, { cancelled: 1, sent: 3 });
  });

  it('that were paused for longer than they may be tried are tried again when they are resumed', async () => {
    const launch = newId();
    stage.peer.answer = (_message, take) => ({ ...take([]), kind: 'retry', description: 'Busy.', afterMs: 0 });
    const [uuid] = await feed(launch, 1);
    const becomes = (holds: (state: { status_description: string; claimed_by: number | null }) => boolean) =>
      until(
        () => app.deps.db.selectFrom('sms_states').selectAll().where('uuid', '=', uuid!).executeTakeFirstOrThrow(),
        holds,
      );
    await becomes(({ status_description }) => status_description === 'Busy.');
    await pauseLaunch(app.deps.db, app.accountId, launch);
    await becomes(({ claimed_by }) => claimed_by === null);
    const long = { give_up_at: new Date(0).toISOString(), due_at: new Date(0).toISOString() };
    await app.deps.db.updateTable('sms_states').set(long).where('uuid', '=', uuid!).execute();
    stage.peer.answer = (_message, take) => ({ ...take([]), kind: 'retry', description: 'Still busy.', afterMs: 0 });
    await resumeLaunch(app.deps.db, app.accountId, launch);
    const again = await becomes(({ status_description }) => status_description !== 'Busy.');
    assert.deepEqual([again.status, again.status_description], ['QUEUED', 'Still busy.']);
    stage.peer.answer = (_message, take) => take();
    await app.deps.db
      .updateTable('sms_states')
      .set({ due_at: new Date(0).toISOString() })
      .where('uuid', '=', uuid!)
      .execute();
    await untilTallies(launch, { sent: 1 });
  });

  it('are cancelled while one is being handed over: it does not leave again', async () => {
    const launch = newId();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const asked = new Promise<void>((resolve) => {
      stage.peer.answer = async (_message, take) => {
        resolve();
        await answered;
        stage.peer.answer = (_other, takeIt) => takeIt();
        return { ...take([]), kind: 'retry', description: 'Busy.', afterMs: 0 };
      };
    });
    const [uuid] = await feed(launch, 1);
    await asked;
    assert.equal(await cancelLaunch(app.deps, app.accountId, launch), 0);
    answer();
    await stage.becomes(uuid!, 'CANCELLED');
    assert.deepEqual(await talliesOf(launch), { cancelled: 1 });
  });

  it('are cancelled together, another account cannot, and the last that ended are told', async () => {
    const launch = newId();
    await stage.setOpen(false);
    const uuids = await feed(launch, 1200);
    assert.equal(await cancelLaunch(app.deps, newId(), launch), 0);
    await pauseLaunch(app.deps.db, newId(), launch);
    assert.equal(await cancelLaunch(app.deps, app.accountId, launch), 1200);
    assert.deepEqual(await talliesOf(launch), { cancelled: 1200 });
    await stage.setOpen(true);
    const sent = await feed(newId(), 1);
    await stage.becomes(sent[0]!, 'SENT');
    const last = await lastEnded(app.deps.db, app.accountId, launch, { most: 2 });
    assert.deepEqual(
      last.map(({ uuid, status, status_description }) => [uuid, status, status_description]),
      [1199, 1198].map((index) => [uuids[index], 'CANCELLED', 'Cancelled with its campaign.']),
    );
    const newer = await lastEnded(app.deps.db, app.accountId, launch, { after: uuids[1198]!, most: 9 });
    assert.deepEqual(
      newer.map(({ uuid }) => uuid),
      [uuids[1199]],
    );
  });

  it('are answered: what a person writes names the launch that is found for them', async () => {
    const launch = newId();
    const asked: unknown[] = [];
    const message = { kind: 'message', id: null, to: '+441614960000', text: 'Yes', encoding: 'GSM7' } as const;
    const [one] = (await receiveSms(app.deps, stage.link, [{ ...message, from: '+447700900009', at: new Date() }], {
      findLaunches: async (_db, people) => {
        asked.push(...people);
        return [launch];
      },
    })) as { uuid: string }[];
    assert.deepEqual(asked, [{ accountId: app.accountId, sender: '441614960000', digits: '447700900009' }]);
    const found = await app.call('GET', `/v2/sms-records/?campaign_log=${launch}`);
    assert.deepEqual(
      found.body.results.map(({ uuid }: { uuid: string }) => uuid),
      [one!.uuid],
    );
    assert.deepEqual(await lastEnded(app.deps.db, app.accountId, launch, { most: 9 }), []);
  });
});
