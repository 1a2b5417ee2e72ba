// The start of src/main.ts once more, with a stopwatch between its steps. Prints them as JSON and ends.
const steps: Record<string, number> = {};
let lastMs = 0;
const done = (step: string): void => {
  const nowMs = performance.now();
  steps[step] = nowMs - lastMs;
  lastMs = nowMs;
};

done('Node itself');
const { readConfig } = await import('../src/platform/config.ts');
const { migrate } = await import('../src/platform/db/migrate.ts');
const { makeLog } = await import('../src/platform/log.ts');
const { startEmbeddedPostgres } = await import('../src/platform/postgres/index.ts');
done('first imports');
const config = readConfig(process.env);
const postgres = await startEmbeddedPostgres({ directory: `${config.dataDir}/postgres`, progress: () => {} });
done('PostgreSQL');
await migrate(postgres.connection, { progress: () => {} });
done('migration check');
const { start } = await import('../src/start.ts');
done('other imports');
const log = makeLog({ level: config.LOG_LEVEL, pretty: false });
const running = await start({ config, connection: postgres.connection, secretKey: 'for the bench alone', log });
done('roles and routes');
await running.app.listen({ port: config.PORT, host: '127.0.0.1' });
done('listening');
const { port } = running.app.server.address() as { port: number };
await fetch(`http://127.0.0.1:${port}/readyz`);
done('first /readyz');
await running.stop();
await postgres.stop();
console.log(`STEPS ${JSON.stringify(steps)}`);
process.exit(0);
