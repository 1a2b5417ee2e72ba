export { type Interactive, interactiveErrors, interactiveKinds } from './content/interactive.ts';
export { startDelivery } from './delivery.ts';
export { applyReceipts } from './receipts.ts';
export { routes as messageRoutes } from './routes.ts';
