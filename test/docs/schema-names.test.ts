import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiDocument } from '../../src/app.ts';

/** The names of schemas that the interface speaks of, for which clients have types. */
const names = [
  ...['ChatIntro', 'ChatIntroCreate', 'ReplyAlt', 'Message', 'MessagePage', 'MessageType', 'MessageDirection'],
  ...['MessageStatus', 'Flow', 'FlowList', 'FlowStatus', 'FlowCategory', 'FlowUpdate', 'FlowPreview', 'LeadSubmit'],
  ...[
    'LeadRecord',
    'LeadPage',
    'Campaign',
    'CampaignLog',
    'Contact',
    'OptOut',
    'OptOutEvent',
    'RoutingConfig',
    'Route',
  ],
  ...[
    'RouteConditions',
    'RouteFallback',
    'JobSubmit',
    'JobCreated',
    'JobList',
    'JobDetail',
    'JobStatus',
    'JobCallback',
  ],
  ...['Error', 'ValidationError', 'ErrorsBody', 'DetailBody'],
];

const { components, paths } = apiDocument() as {
  components: { schemas: Record<string, { properties?: Record<string, { $ref?: string }> }> };
  paths: object;
};

test('every schema that the interface names is in the OpenAPI document, and something refers to it', () => {
  const text = JSON.stringify({ components, paths });
  const missing = names.filter((name) => !(name in components.schemas));
  const unused = names.filter((name) => !text.includes(`"#/components/schemas/${name}"`));
  assert.deepEqual({ missing, unused }, { missing: [], unused: [] });
});

test('the callback of a job is what its address is sent: the type, the time, the job', () => {
  const { JobCallback } = components.schemas;
  assert.deepEqual(Object.keys(JobCallback!.properties!), ['type', 'timestamp', 'data']);
  assert.equal(JobCallback!.properties!['data']!.$ref, '#/components/schemas/JobDetail');
  assert.match(JSON.stringify(paths), /"\{\$request\.body#\/callback_url\}":\{"post"/);
});
