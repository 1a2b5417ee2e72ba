const { createHmac, timingSafeEqual } = require('node:crypto');

const place = '/v2/webhooks/';
/** Seconds that a delivery may be old, or ahead of this clock. */
const tolerance = 300;

/** Starts a workflow when something happens in Parley. Each workflow has a webhook of its own, whose signature is checked. */
class ParleyTrigger {
  description = {
    displayName: 'Parley Trigger',
    name: 'parleyTrigger',
    icon: 'fa:comments',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when a message, SMS, call, lead or intro event occurs',
    defaults: { name: 'Parley Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'parleyApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Event Names or IDs',
        name: 'events',
        type: 'multiOptions',
        typeOptions: { loadOptionsMethod: 'getEvents' },
        required: true,
        default: [],
        description: 'The events to listen to',
      },
    ],
  };

  methods = {
    loadOptions: {
      async getEvents() {
        const { results } = await ask.call(this, { method: 'GET', url: '/v2/webhook-types/' });
        return results.map(({ name, description }) => ({ name, value: name, description }));
      },
    },
  };

  webhookMethods = {
    default: {
      async checkExists() {
        const { uuid } = this.getWorkflowStaticData('node');
        if (!uuid) return false;
        const found = await ask.call(this, { method: 'GET', url: `${place}${uuid}/` }).catch(() => undefined);
        return found?.url === this.getNodeWebhookUrl('default');
      },
      async create() {
        const made = await ask.call(this, {
          method: 'POST',
          url: place,
          body: {
            url: this.getNodeWebhookUrl('default'),
            events: this.getNodeParameter('events'),
            description: `n8n: ${this.getWorkflow().name ?? 'workflow'}`,
          },
        });
        Object.assign(this.getWorkflowStaticData('node'), { uuid: made.uuid, secret: made.secret });
        return true;
      },
      async delete() {
        const data = this.getWorkflowStaticData('node');
        if (data.uuid) await ask.call(this, { method: 'DELETE', url: `${place}${data.uuid}/` }).catch(() => undefined);
        delete data.uuid;
        delete data.secret;
        return true;
      },
    },
  };

  async webhook() {
    const request = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData('node');
    if (!secret || !isGenuine(request.rawBody, request.headers, secret)) {
      this.getResponseObject().status(401).json({ message: 'The signature does not match.' });
      return { noWebhookResponse: true };
    }
    const event = { ...this.getBodyData(), id: request.headers['webhook-id'] };
    return { workflowData: [this.helpers.returnJsonArray([event])] };
  }
}

async function ask(options) {
  const { url } = await this.getCredentials('parleyApi');
  return this.helpers.httpRequestWithAuthentication.call(this, 'parleyApi', {
    baseURL: url.replace(/\/+$/, ''),
    json: true,
    timeout: 60_000,
    ...options,
  });
}

/** As the Standard Webhooks specification has it. */
function isGenuine(body, headers, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': moment, 'webhook-signature': signatures = '' } = headers;
  if (!body || !id || !/^\d+$/.test(moment ?? '') || Math.abs(Date.now() / 1000 - Number(moment)) > tolerance)
    return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${moment}.`).update(body).digest('base64')}`,
  );
  return signatures
    .split(' ')
    .some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected));
}

module.exports = { ParleyTrigger, isGenuine };
