/**
 * `npm run demo`: Parley with a believable business in it. With `--seed-only --url … --token …` that business is put into a server
 * that runs already. See docs/demo.md.
 */
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    'seed-only': { type: 'boolean', default: false },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    token: { type: 'string', default: '' },
    small: { type: 'boolean', default: false },
  },
});

async function seedOnly(): Promise<void> {
  const { seed } = await import('./demo/seed.ts');
  const { startReceiver } = await import('./demo/webhooks.ts');
  const { url, token, small } = values;
  const receiver = await startReceiver();
  await seed({ url: url.replace(/\/$/, ''), token, receiver, scale: small ? 'small' : 'full', tell: console.log });
  receiver.close();
}

async function run(): Promise<void> {
  const { DemoError, runDemo } = await import('./demo/run.ts');
  await runDemo(process.env).catch((error) => {
    console.error(error instanceof DemoError ? error.message : error);
    process.exit(1);
  });
}

await (values['seed-only'] ? seedOnly() : run());
