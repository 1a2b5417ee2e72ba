export { applyFlowEvents, type FlowChange } from './events.ts';
export { routes as flowRoutes } from './routes.ts';
export { moveFlows } from './submit.ts';
export { tasks as flowTasks } from './tasks.ts';
