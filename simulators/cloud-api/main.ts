// Runs the simulator on its own: node simulators/cloud-api/main.ts --port 9090 --webhook-url http://…
import { parseArgs } from 'node:util';
import { startCloudSimulator } from './simulator.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9090' },
    host: { type: 'string', default: '127.0.0.1' },
    token: { type: 'string' },
    'app-id': { type: 'string' },
    'app-secret': { type: 'string' },
    'webhook-url': { type: 'string' },
    'verify-token': { type: 'string' },
    'account-id': { type: 'string' },
    'number-id': { type: 'string' },
    phone: { type: 'string' },
    speed: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    /** Overrides of any setting, as JSON. */
    settings: { type: 'string', default: '{}' },
  },
});

const simulator = await startCloudSimulator({
  port: Number(values.port),
  host: values.host,
  speed: Number(values.speed),
  seed: Number(values.seed),
  settings: JSON.parse(values.settings),
  ...(values.token && { token: values.token }),
  ...(values['app-id'] && { appId: values['app-id'] }),
  ...(values['app-secret'] && { appSecret: values['app-secret'] }),
  ...(values['webhook-url'] && { webhookUrl: values['webhook-url'] }),
  ...(values['verify-token'] && { verifyToken: values['verify-token'] }),
  ...(values['account-id'] && { accountId: values['account-id'] }),
  ...(values['number-id'] && { numberId: values['number-id'] }),
  ...(values.phone && { phone: values.phone }),
});

console.log(`Cloud API simulator at ${simulator.url}
  account ${simulator.accountId}, number ${simulator.numberId}
  token ${simulator.token}, app secret ${simulator.appSecret}
  controls at ${simulator.url}/_simulator/`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
