// Every type of message and every kind of template, from the request to the platform and back to whoever listens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../kit/until.ts';
import { type Listener, listenForCallbacks, listenTo } from './hooks.ts';
import { messageRows, type Props, type Row } from './message-rows.ts';
import { bringTemplates, openWindows, publishFlow, uploadAll } from './outbound-props.ts';
import { type CloudStage, startCloudStage } from './stage.ts';
import { templateRows } from './template-rows.ts';

const rows = [...messageRows, ...templateRows];
const phoneOf = (row: Row): string => `+3460000${String(1000 + rows.indexOf(row))}`;
/** The platform says nothing more of a reaction than that it is sent. */
const stepsOf = ({ title }: Row): string[] => (title.startsWith('reaction') ? ['SENT'] : ['SENT', 'DELIVERED', 'READ']);

let stage: CloudStage;
let webhook: Listener;
let callbacks: Listener;
let propsOf: (row: Row) => Props;
const answers = new Map<Row, { status: number; headers: Record<string, unknown>; body: Record<string, string> }>();
const uuidOf = (row: Row): string => answers.get(row)!.body['uuid']!;

before(async () => {
  stage = await startCloudStage({}, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  webhook = await listenTo(stage.app, ['chatapp.message.status']);
  callbacks = await listenForCallbacks(stage.app);
  propsOf = await gatherProps();
  stage.simulator.webhooks.hold();
  for (const row of rows) {
    const envelope = { chatapp_number: stage.number, to_chatapp_number: phoneOf(row) };
    const message = { ...envelope, ...row.request(propsOf(row)) };
    answers.set(row, await stage.app.call('POST', '/v2/chatapp/messages/', message));
  }
  await letStatusesThrough();
});
after(async () => {
  await stage.close();
  await Promise.all([webhook.close(), callbacks.close()]);
});

async function gatherProps(): Promise<(row: Row) => Props> {
  await bringTemplates(stage, rows);
  const uuids = await uploadAll(stage);
  const flow = await publishFlow(stage.simulator);
  const written = await openWindows(stage, rows.map(phoneOf));
  const platformId = (file: Buffer): string => {
    const found = [...stage.simulator.world.media.values()].filter(({ bytes }) => bytes.equals(file));
    assert.equal(found.length, 1, 'the file was uploaded once');
    return found[0]!.id;
  };
  return (row) => ({
    written: written.get(phoneOf(row))!,
    uploaded: (file) => uuids.get(file)!,
    platformId,
    flow,
    callbackUrl: callbacks.url,
  });
}

/** One step of all messages after the other: a message that takes two at once is told of once, where it stands then. */
async function letStatusesThrough(): Promise<void> {
  const { webhooks } = stage.simulator;
  await allReach('SENT');
  await until('the platform has said everything', async () => everyStatusIsOut());
  type Update = Parameters<typeof webhooks.emit>[0];
  let kept: Update[] = [];
  const isRead = (update: Update) => 'item' in update && (update.item as { status: string }).status === 'read';
  webhooks.release((updates) => {
    kept = updates.filter(isRead);
    return updates.filter((update) => !isRead(update));
  });
  await allReach('DELIVERED');
  for (const update of kept) webhooks.emit(update);
  await allReach('READ');
}

const everyStatusIsOut = (): true | undefined =>
  [...stage.simulator.world.messages.values()].every(
    ({ direction, type, statuses }) => direction === 'in' || statuses.length === (type === 'reaction' ? 1 : 3),
  ) || undefined;

const allReach = (status: string) =>
  until(`all messages are ${status}`, async () => {
    const { results } = (await stage.app.call('GET', '/v2/chatapp/messages/?direction=OUTBOUND&page_size=200')).body;
    const there = new Map<string, string>(
      results.map((one: { uuid: string; status: string }) => [one.uuid, one.status]),
    );
    const taken = rows.filter((row) => answers.get(row)!.status === 201);
    return taken.every((row) => !stepsOf(row).includes(status) || there.get(uuidOf(row)) === status) || undefined;
  });

for (const row of rows) {
  describe(row.title, () => {
    test('is accepted, and none of its fields ignored', () => {
      const { status, headers, body } = answers.get(row)!;
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(headers['parley-ignored-fields'], undefined);
    });

    test('is this at the platform, once', () => {
      const payloads = stage.simulator.received
        .filter(({ url }) => url.endsWith('/messages'))
        .map(({ body }) => JSON.parse(body.toString()))
        .filter(({ to }) => to === phoneOf(row));
      assert.deepEqual(payloads, [
        {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: phoneOf(row),
          ...row.payload(propsOf(row)),
          biz_opaque_callback_data: uuidOf(row),
        },
      ]);
    });

    test('takes its steps in order', async () => {
      const { body } = await stage.app.call('GET', `/v2/chatapp/messages/${uuidOf(row)}/status-logs/`);
      const steps = Map.groupBy(body.results as { status: string; applied: boolean }[], ({ applied }) => applied);
      const statuses = (applied: boolean) => steps.get(applied)?.map(({ status }) => status) ?? [];
      assert.deepEqual(statuses(true), ['QUEUED', ...stepsOf(row)]);
      // The answer says that it is sent, and a receipt says so again, in whatever order.
      assert.ok(statuses(false).every((status) => status === stepsOf(row)[0]));
    });

    test('is told of at each step, signed', async () => {
      await isTold(webhook, row);
      if (row.callback) await isTold(callbacks, row);
    });
  });
}

async function isTold(listener: Listener, row: Row): Promise<void> {
  const steps = stepsOf(row);
  const told = await until(`${row.title} is told of`, async () => {
    const told = listener.about(uuidOf(row));
    return told.length >= steps.length ? told : undefined;
  });
  const byStep = told.toSorted((a, b) => steps.indexOf(a.data.status) - steps.indexOf(b.data.status));
  assert.deepEqual(
    byStep.map(({ type, data }) => [type, data.status]),
    steps.map((step) => ['chatapp.message.status', step]),
  );
  const { body } = await stage.app.call('GET', `/v2/chatapp/messages/${uuidOf(row)}/`);
  assert.deepEqual(byStep.at(-1)!.data, body);
}
