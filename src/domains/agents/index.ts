export { assignAgent, previewAgent, type Wanted } from './assign.ts';
export { isAvailable, whyUnavailable } from './available.ts';
export { phonesOf } from './phones.ts';
export { type AgentRow, findAgents, findSkilled, isAgentNumber } from './queries.ts';
export { routes as agentRoutes } from './routes.ts';
export { SipUri, Skill, Strategy, skillKey } from './schemas.ts';
