// Runs the centre on its own: node simulators/smsc/main.ts --port 2775 --control-port 2776
import { parseArgs } from 'node:util';
import { startSmsc } from './smsc.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '2775' },
    'control-port': { type: 'string', default: '2776' },
    host: { type: 'string', default: '127.0.0.1' },
    'system-id': { type: 'string', default: 'parley' },
    password: { type: 'string', default: 'parley' },
    /** Overrides of any setting, as JSON. */
    settings: { type: 'string', default: '{}' },
  },
});

const smsc = await startSmsc({
  port: Number(values.port),
  host: values.host,
  controlPort: Number(values['control-port']),
  settings: {
    accounts: [{ systemId: values['system-id'], password: values.password }],
    ...JSON.parse(values.settings),
  },
});

console.log(`SMSC simulator at ${smsc.host}:${smsc.port}
  system id ${values['system-id']}, password ${values.password}
  controls at ${smsc.controlUrl}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void smsc.close());
