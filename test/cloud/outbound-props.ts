import assert from 'node:assert/strict';
import type { CloudSimulator } from '../../simulators/cloud-api/index.ts';
import { formWith } from '../kit/media/sample-files.ts';
import { until } from '../kit/until.ts';
import { files, type Props, type Row } from './message-rows.ts';
import type { CloudStage } from './stage.ts';

/** Uploads every file through the API; answers which uuid each got. */
export async function uploadAll({ app }: CloudStage): Promise<Map<Buffer, string>> {
  const uuids = new Map<Buffer, string>();
  for (const [type, mimeType, file] of files) {
    const { payload, contentType } = await formWith(file, { type: mimeType, filename: 'house' });
    const headers = { authorization: `Token ${app.token}`, 'content-type': contentType };
    const made = await app.app.inject({ method: 'POST', url: '/v2/chatapp/template-media/', headers, payload });
    assert.deepEqual([made.statusCode, made.json().media_type], [201, type], made.body);
    uuids.set(file, made.json().uuid);
  }
  return uuids;
}

/** Approves the templates of the rows on the platform, and brings them over. */
export async function bringTemplates({ app, simulator }: CloudStage, rows: Row[]): Promise<void> {
  const approved = rows.flatMap(({ approved }) => (approved ? [approved] : []));
  for (const template of approved) simulator.addTemplate(template);
  const started = await app.call('POST', '/v2/chatapp/message-templates/sync/', {});
  assert.equal(started.status, 202, JSON.stringify(started.body));
  await until('all templates are known', async () => {
    const { body } = await app.call('GET', '/v2/chatapp/message-templates/?status=APPROVED');
    return body.count === approved.length || undefined;
  });
}

/** A flow that people can open. */
export async function publishFlow(simulator: CloudSimulator): Promise<Props['flow']> {
  const footer = { type: 'Footer', label: 'Go', 'on-click-action': { name: 'complete', payload: {} } };
  const layout = { type: 'SingleColumnLayout', children: [footer] };
  const screen = { id: 'FIRST', title: 'First', terminal: true, success: true, layout };
  const flow_json = JSON.stringify({ version: '7.3', screens: [screen] });
  const made = await fetch(`${simulator.url}/v26.0/${simulator.accountId}/flows`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'survey', categories: ['SURVEY'], flow_json, publish: true }),
  });
  const { id } = (await made.json()) as { id: string };
  return { id, name: 'survey' };
}

/** People write, so that they may be written to; answers what each wrote, by their number. */
export async function openWindows({ app, simulator }: CloudStage, people: string[]) {
  const written = new Map<string, Props['written']>();
  const wamids = new Map(people.map((phone) => [phone, simulator.person(phone).writes('Hola').id]));
  await until('everybody has written', async () => {
    const { body } = await app.call('GET', '/v2/chatapp/messages/?direction=INBOUND&page_size=200');
    for (const { uuid, from_chatapp_number: from } of body.results) {
      written.set(from, { uuid, wamid: wamids.get(from)! });
    }
    return written.size === people.length || undefined;
  });
  return written;
}
