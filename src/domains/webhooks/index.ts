export { announce, findListening, type WebhookEvent } from './announce.ts';
export { callbackUrlErrors } from './create.ts';
export { startWebhookDelivery } from './deliver/delivery.ts';
export { deleteDeliveriesNaming, deleteDeliveriesOf } from './erase.ts';
export { findUnknownWebhooks } from './queries.ts';
export { attemptRetention, deliveryRetention } from './retention.ts';
export { routes as webhookRoutes } from './routes.ts';
export { CallbackUrl } from './schemas.ts';
export { tasks as webhookTasks } from './tasks.ts';
