// A flow's life: DRAFT → PUBLISHED → DEPRECATED. An edit of a published one makes a draft; what was published serves on.
import { pageOf, pickFields } from '../graph/answers.ts';
import type { Call } from '../graph/call.ts';
import { type Fields, invalid } from '../graph/checks.ts';
import { GraphError } from '../graph/errors.ts';
import type { Sim } from '../sim.ts';
import { dayMs, type Flow } from '../world.ts';
import { validateFlowJson } from './json.ts';

const categories = 'SIGN_UP SIGN_IN APPOINTMENT_BOOKING LEAD_GENERATION CONTACT_US CUSTOMER_SUPPORT SURVEY OTHER'.split(
  ' ',
);
const usualFields = ['id', 'name', 'status', 'categories', 'validation_errors'];
const maxJsonBytes = 10 * 1024 * 1024;

const flowOf = ({ world }: Sim, call: Call): Flow => world.flows.get(call.id)!;
const ofAccount = ({ world }: Sim, accountId: string): Flow[] =>
  [...world.flows.values()].filter((flow) => flow.accountId === accountId);

function present(sim: Sim, flow: Flow): Fields {
  const account = sim.world.accounts.get(flow.accountId)!;
  return {
    id: flow.id,
    name: flow.name,
    status: flow.status,
    categories: flow.categories,
    validation_errors: flow.validationErrors,
    json_version: flow.json === null ? null : versionOf(flow.json),
    data_api_version: flow.endpointUri === null ? null : '3.0',
    endpoint_uri: flow.endpointUri,
    preview: {
      preview_url: `${sim.origin()}/wa/manage/flows/${flow.id}/preview/?token=${flow.previewToken}`,
      expires_at: flow.previewExpires.toISOString().replace(/\.\d+Z$/, '+0000'),
    },
    whatsapp_business_account: { id: account.id, name: account.name },
    application: { id: sim.world.app.id, name: 'Simulated app' },
    health_status: { can_send_message: flow.status === 'BLOCKED' ? 'BLOCKED' : 'AVAILABLE' },
  };
}

function versionOf(json: string): string | null {
  try {
    return JSON.parse(json).version ?? null;
  } catch {
    return null;
  }
}

function readCategories(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => categories.includes(one))) {
    throw invalid(`Param categories must be a non-empty array of {${categories.join(', ')}}.`);
  }
  return value as string[];
}

function checkName(sim: Sim, accountId: string, name: unknown): string {
  if (typeof name !== 'string' || name === '' || name.length > 200)
    throw invalid('Param name must have 1 to 200 characters.');
  if (ofAccount(sim, accountId).some((flow) => flow.name === name)) {
    throw new GraphError(100, 'Flow name is not unique.', { subcode: 4016019 });
  }
  return name;
}

/** `POST /{waba-id}/flows`. */
export function createFlow(sim: Sim, call: Call) {
  const { world, ids } = sim;
  const { name, categories: given, flow_json, publish, clone_flow_id, endpoint_uri } = call.params();
  if (clone_flow_id !== undefined && flow_json !== undefined)
    throw invalid('Give clone_flow_id or flow_json, not both.');
  const source = clone_flow_id === undefined ? undefined : world.flows.get(String(clone_flow_id));
  if (clone_flow_id !== undefined && source?.accountId !== call.id) throw invalid('Param clone_flow_id is not a flow.');
  const json = source ? source.json : flow_json === undefined ? null : String(flow_json);
  const flow: Flow = {
    id: ids.object(),
    accountId: call.id,
    name: checkName(sim, call.id, name),
    status: 'DRAFT',
    categories: readCategories(given),
    json,
    publishedJson: null,
    validationErrors: json === null ? [] : validateFlowJson(json),
    endpointUri: endpoint_uri === undefined ? null : String(endpoint_uri),
    previewToken: ids.token(32),
    previewExpires: new Date(sim.time.now().getTime() + 30 * dayMs),
    sends: [],
  };
  if (publish === true || publish === 'true') checkPublishable(flow);
  world.flows.set(flow.id, flow);
  announce(sim, flow, undefined);
  if (publish === true || publish === 'true') putStatus(sim, flow, 'PUBLISHED');
  return { id: flow.id, success: true, validation_errors: flow.validationErrors };
}

export const listFlows = (sim: Sim, call: Call) =>
  pageOf(
    ofAccount(sim, call.id).map((flow) => pickFields(present(sim, flow), call, usualFields)),
    call,
    sim.origin(),
  );

export function getFlow(sim: Sim, call: Call) {
  const flow = flowOf(sim, call);
  if (call.query.get('fields')?.includes('preview.invalidate(true)')) {
    flow.previewToken = sim.ids.token(32);
    flow.previewExpires = new Date(sim.time.now().getTime() + 30 * dayMs);
  }
  return pickFields(present(sim, flow), call, usualFields);
}

/** `POST /{flow-id}`: name, categories, endpoint. */
export function updateFlow(sim: Sim, call: Call) {
  const flow = flowOf(sim, call);
  if (flow.status === 'DEPRECATED') throw new GraphError(139001, 'A deprecated flow cannot be updated.');
  const { name, categories: given, endpoint_uri } = call.params();
  if (name !== undefined && name !== flow.name) flow.name = checkName(sim, flow.accountId, name);
  if (given !== undefined) flow.categories = readCategories(given);
  if (endpoint_uri !== undefined) flow.endpointUri = String(endpoint_uri);
  return { success: true };
}

/** `POST /{flow-id}/assets`: the JSON itself; kept even when it is wrong, with what is wrong about it. */
export function uploadFlowJson(sim: Sim, call: Call) {
  const flow = flowOf(sim, call);
  if (flow.status === 'DEPRECATED') throw new GraphError(139001, 'A deprecated flow cannot be updated.');
  const parts = call.form();
  const text = (name: string) => parts.find((part) => part.name === name)?.content.toString('utf8');
  const file = text('file');
  if (text('name') !== 'flow.json' || text('asset_type') !== 'FLOW_JSON' || file === undefined) {
    throw invalid('Give file, name=flow.json and asset_type=FLOW_JSON.');
  }
  if (Buffer.byteLength(file) > maxJsonBytes) throw invalid('The file is limited to 10 MB.');
  flow.json = file;
  flow.validationErrors = validateFlowJson(file);
  if (flow.status === 'PUBLISHED') putStatus(sim, flow, 'DRAFT');
  return { success: true, validation_errors: flow.validationErrors };
}

export function listFlowAssets(sim: Sim, call: Call) {
  const flow = flowOf(sim, call);
  const download_url = `${sim.origin()}/_simulator/flows/${flow.id}/flow.json`;
  return { data: flow.json === null ? [] : [{ name: 'flow.json', asset_type: 'FLOW_JSON', download_url }] };
}

function checkPublishable(flow: Flow): void {
  if (flow.status !== 'DRAFT') throw new GraphError(139002, 'Only a draft can be published.');
  if (flow.json === null) throw new GraphError(139002, 'The flow has no JSON.');
  if (flow.validationErrors.length > 0) throw new GraphError(139002, 'The flow has validation errors.');
  if (/"data_api_version"/.test(flow.json) && flow.endpointUri === null) {
    throw new GraphError(139002, 'The flow needs an endpoint.');
  }
}

export function publishFlow(sim: Sim, call: Call) {
  const flow = flowOf(sim, call);
  checkPublishable(flow);
  putStatus(sim, flow, 'PUBLISHED');
  return { success: true };
}

export function deprecateFlow(sim: Sim, call: Call) {
  const flow = flowOf(sim, call);
  if (flow.publishedJson === null || flow.status === 'DEPRECATED') {
    throw new GraphError(139003, 'Only a published flow can be deprecated.');
  }
  putStatus(sim, flow, 'DEPRECATED');
  return { success: true };
}

export function deleteFlow(sim: Sim, call: Call) {
  const flow = flowOf(sim, call);
  if (flow.status !== 'DRAFT' || flow.publishedJson !== null)
    throw new GraphError(139004, 'Only a draft can be deleted.');
  sim.world.flows.delete(flow.id);
  return { success: true };
}

/** Changes the status and tells the client; THROTTLED and BLOCKED come from the platform alone. */
export function putStatus(sim: Sim, flow: Flow, status: Flow['status']): void {
  const before = flow.status;
  flow.status = status;
  if (status === 'PUBLISHED') flow.publishedJson = flow.json;
  announce(sim, flow, before);
}

function announce(sim: Sim, { id, name, status, accountId }: Flow, before: string | undefined): void {
  const message =
    before === undefined ? `Flow ${name} has been created` : `Flow ${name} moved from ${before} to ${status}`;
  const old = before === undefined ? {} : { old_status: before };
  const value = { event: 'FLOW_STATUS_CHANGE', message, flow_id: id, ...old, new_status: status };
  sim.outbox.emit({ accountId, numberId: null, field: 'flows', value });
}
