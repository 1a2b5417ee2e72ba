// The door of the connector.
export { type CloudApiDeps, makeCloudApi } from './carrier.ts';
export { serveCloudWebhook } from './webhook.ts';
