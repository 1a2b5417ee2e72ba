export { assignAgent, isAvailable, previewAgent, type Wanted, whyUnavailable } from './assign.ts';
export { type AgentRow, findAgents, findSkilled, isAgentNumber } from './queries.ts';
export { routes as agentRoutes } from './routes.ts';
export { phonesOf, SipUri, Skill, Strategy, skillKey } from './schemas.ts';
