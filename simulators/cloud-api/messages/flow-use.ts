import type { Fields } from '../graph/checks.ts';
import { GraphError } from '../graph/errors.ts';
import type { Sim } from '../sim.ts';
import type { PhoneNumber } from '../world.ts';

const hourMs = 3_600_000;

/** Throws unless the flow of an interactive message exists and may be sent in that mode. */
export function checkFlowUse({ world, time }: Sim, number: PhoneNumber, body: Fields, type: string): void {
  const interactive = body['interactive'] as { type: string; action: { parameters: Fields } } | undefined;
  if (type !== 'interactive' || interactive?.type !== 'flow') return;
  const { flow_id: id, flow_name: name, mode = 'published' } = interactive.action.parameters;
  const flow = [...world.flows.values()].find(
    (candidate) => candidate.accountId === number.accountId && (candidate.id === id || candidate.name === name),
  );
  if (!flow) throw new GraphError(131009, 'flow_id or flow_name does not exist in this WhatsApp Business Account.');
  if (flow.status === 'BLOCKED') throw new GraphError(132068, 'The flow is blocked and cannot be sent.');
  if (flow.status === 'DEPRECATED') throw new GraphError(131009, 'The flow is deprecated and cannot be sent.');
  if (mode === 'published' && flow.publishedJson === null) {
    throw new GraphError(131009, 'The flow is not published; use mode draft to try it.');
  }
  if (mode === 'draft' && flow.status !== 'DRAFT') throw new GraphError(131009, 'The flow has no draft.');
  if (flow.status !== 'THROTTLED') return;
  flow.sends = flow.sends.filter((at) => time.now().getTime() - at.getTime() < hourMs);
  if (flow.sends.length >= 10)
    throw new GraphError(132069, 'The flow is throttled: 10 messages were sent in the last hour.');
  flow.sends.push(time.now());
}
