export { announce, findListening, type WebhookEvent } from './announce.ts';
export { callbackUrlErrors } from './change.ts';
export { startWebhookDelivery } from './deliver/delivery.ts';
export { type EventType, eventTypes } from './event-types.ts';
export { findUnknownWebhooks } from './queries.ts';
export {
  attemptRetention,
  deleteDeliveriesNaming,
  deleteDeliveriesOf,
  deliveryRetention,
  tasks as webhookTasks,
} from './retention.ts';
export { routes as webhookRoutes } from './routes.ts';
export { CallbackUrl, type EventData, webhookEvents } from './schemas.ts';
