import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { seed } from '../../../scripts/demo/seed.ts';
import { startReceiver } from '../../../scripts/demo/webhooks.ts';
import { testQueueVariable } from '../../../scripts/testing/queue.ts';
import { citusUrl, databaseUrl, type TestDatabase, testPostgresVariable } from '../../kit/database.ts';
import { addConnections } from './addresses.ts';
import { inTurn, type OwnStage, openOwnStage } from './stage.ts';

/** The database of the demo, once somebody has filled it; the files that belong to it are in the directory of the run. */
const template = 'parley_demo';
const files = path.join(os.tmpdir(), 'parley-demo-files');

/** A run has a PostgreSQL and a directory of its own, which are thrown away; copying is not tried on Citus. */
const mayShare = process.env[testQueueVariable] !== undefined && citusUrl === undefined;

/**
 * A stage with the whole business of the demo. Filling it takes as much of the processor as looking at every page, so the first who
 * asks fills it, and everybody gets a copy.
 */
export async function openSeededStage(): Promise<OwnStage> {
  if (!mayShare) {
    const stage = await openOwnStage();
    await fill(stage);
    return stage;
  }
  await inTurn('demo', fillOnce);
  return openOwnStage({}, { database: await copyDatabase(), dataDir: files });
}

async function fill(stage: OwnStage): Promise<void> {
  // Stays open as long as this process: copies still have something to deliver, and nobody else gets its port.
  const receiver = await startReceiver();
  await seed({ url: stage.url, token: stage.token, receiver, scale: 'small' });
  await addConnections(stage);
}

async function fillOnce(): Promise<void> {
  await asAdmin(async (admin) => {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount) return;
    const stage = await openOwnStage();
    try {
      await fill(stage);
      await stage.stop();
      await cp(stage.dataDir, files, { recursive: true });
      const { database } = stage.database.connection;
      // One that somebody is connected to cannot be copied.
      await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [database]);
      await admin.query(`create database ${template} template ${database} strategy file_copy`);
    } finally {
      await stage.close();
    }
  });
}

async function copyDatabase(): Promise<TestDatabase> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin((admin) => admin.query(`create database ${database} template ${template} strategy file_copy`));
  const connection = { ...server(), database };
  const drop = () => asAdmin((admin) => admin.query(`drop database ${database} with (force)`)).then(() => {});
  return { connection, url: databaseUrl(connection), drop };
}

const server = () => JSON.parse(process.env[testPostgresVariable] ?? '{}');

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client(server());
  await admin.connect();
  return work(admin).finally(() => admin.end());
}
