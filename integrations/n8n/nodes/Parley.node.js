const { createHash } = require('node:crypto');
const { resources, propertiesOf } = require('./operations.js');

/** Sends and reads through the API of a Parley server. */
class Parley {
  description = {
    displayName: 'Parley',
    name: 'parley',
    icon: 'fa:comments',
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Send WhatsApp messages and SMS, and read what became of them',
    defaults: { name: 'Parley' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'parleyApi', required: true }],
    properties: propertiesOf(),
  };

  async execute() {
    const items = this.getInputData();
    const { url } = await this.getCredentials('parleyApi');
    const results = [];
    for (let index = 0; index < items.length; index++) {
      try {
        const of = (name) => this.getNodeParameter(name, index, '');
        const { isList, request } = resources[of('resource')].operations[of('operation')];
        const send = (options) =>
          this.helpers.httpRequestWithAuthentication.call(this, 'parleyApi', {
            baseURL: url.replace(/\/+$/, ''),
            json: true,
            timeout: 60_000,
            ...options,
          });
        const rows = isList
          ? await readPages(send, request(of), of('limit'))
          : [await send(withKey(request(of), `${this.getExecutionId()} ${this.getNode().id} ${index}`))];
        results.push(...rows.map((json) => ({ json, pairedItem: { item: index } })));
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        results.push({ json: { error: error.message }, pairedItem: { item: index } });
      }
    }
    return [results];
  }
}

/** A request that is tried again in the same execution does nothing twice. */
function withKey(options, origin) {
  if (options.method === 'GET') return options;
  const key = createHash('sha256')
    .update(`${origin} ${JSON.stringify(options.body)}`)
    .digest('hex');
  return { ...options, headers: { 'Idempotency-Key': `n8n-${key}` } };
}

async function readPages(send, options, limit) {
  const rows = [];
  let page = { ...options, qs: { ...options.qs, page_size: Math.min(limit, 200) } };
  while (page && rows.length < limit) {
    const { results, next } = await send(page);
    rows.push(...results);
    const following = next && new URL(next);
    page = following && { method: 'GET', url: `${following.pathname}${following.search}` };
  }
  return rows.slice(0, limit);
}

module.exports = { Parley };
