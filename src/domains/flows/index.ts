export { applyFlowEvents, type FlowChange } from './events.ts';
export { moveFlows } from './move.ts';
export { routes as flowRoutes } from './routes.ts';
export { tasks as flowTasks } from './tasks.ts';
