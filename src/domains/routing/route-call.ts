import type { Deps } from '../../deps.ts';
import { type AgentRow, assignAgent, previewAgent, type Wanted } from '../agents/index.ts';
import { decide, hasRouting, type Inquiry } from './decide.ts';
import { type RouteDestination, usualRingSeconds } from './schemas.ts';

/** One thing to do with a call. What does not lead to an answer (busy, refused, nobody) is followed by the next. */
export type CallStep = { route: string } & (
  | {
      kind: 'RING';
      /** Rung all at once: phone numbers and SIP addresses. */
      numbers: string[];
      ringSeconds: number;
      /** Whose numbers they are. */
      agent: string | null;
    }
  | { kind: 'AUDIO'; audioFile: string }
  | { kind: 'VOICEMAIL' | 'HANGUP' }
);

/**
 * What the account's VOICE config does with a call, step by step; nothing for a number without a config, or where no route
 * matches and there is no fallback. Each step is worked out when it is asked for: an agent's turn is taken only when it comes
 * to that. No transaction is open in between.
 */
export async function* routeCall(
  deps: Pick<Deps, 'db' | 'caches'>,
  accountId: string,
  { number, caller, digits, at }: { number: string; caller: string; digits: string; at: Date },
): AsyncGenerator<CallStep> {
  if (!(await hasRouting(deps, accountId, 'VOICE'))) return;
  const decision = await decide(deps, accountId, 'VOICE', { number, from: caller, digits, at } satisfies Inquiry);
  for (const { route, destination } of decision?.destinations ?? []) {
    const name = route === null ? 'fallback' : (decision!.fields.routes[route]!.name ?? `route ${route + 1}`);
    for (const step of await stepsOf(deps, accountId, destination, at)) yield { route: name, ...step };
  }
}

type Step = CallStep extends infer S ? (S extends CallStep ? Omit<S, 'route'> : never) : never;

async function stepsOf(
  deps: Pick<Deps, 'db'>,
  accountId: string,
  destination: RouteDestination,
  at: Date,
): Promise<Step[]> {
  switch (destination.type) {
    case 'NUMBER':
      return [ring(destination, destination.numbers)];
    case 'SIP':
      return [ring(destination, [destination.uri])];
    case 'AGENT': {
      const agents = await assignAgent(deps, accountId, wantedBy(destination), at);
      return agents.flatMap((agent) => ringsOf(destination, agent));
    }
    case 'AUDIO':
      return [{ kind: 'AUDIO', audioFile: destination.audio_file }];
    case 'VOICEMAIL':
    case 'HANGUP':
      return [{ kind: destination.type }];
    default:
      // What messages are sent to is refused in a config for calls.
      return [];
  }
}

const ring = ({ ring_seconds }: { ring_seconds?: number }, numbers: string[], agent: string | null = null): Step => ({
  kind: 'RING',
  numbers,
  ringSeconds: ring_seconds ?? usualRingSeconds,
  agent,
});

const ringsOf = (destination: { ring_seconds?: number }, agent: AgentRow): Step[] =>
  agent.ring === 'ALL_AT_ONCE'
    ? [ring(destination, agent.numbers, agent.uuid)]
    : agent.numbers.map((number) => ring(destination, [number], agent.uuid));

type AgentDestination = Extract<RouteDestination, { type: 'AGENT' }>;

export const wantedBy = ({ agent, skill, strategy = 'ROUND_ROBIN' }: AgentDestination): Wanted =>
  agent === undefined ? { skill: skill!, strategy } : { agent };

/** Whom an AGENT destination would ask now; nothing is noted. */
export const previewAgents = (deps: Pick<Deps, 'db'>, accountId: string, destination: AgentDestination, at: Date) =>
  previewAgent(deps, accountId, wantedBy(destination), at);
