import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { closeWithFolder, isSharing } from '../../../scripts/testing/sharing.ts';
import { createTestDatabase, type TestDatabase, testPostgresVariable } from '../../kit/database.ts';
import { missingPeers } from '../../kit/peers.ts';
import { startParley } from '../../kit/program/parley-process.ts';
import { call, executablePath, launchBrowser, makeVisitor, type Visitor } from './browser.ts';

const token = 'console-test-token';
const builder = path.join(import.meta.dirname, '..', '..', '..', 'scripts', 'build-console.ts');

/** Why the console cannot be looked at here, or false. */
export const skip = missingPeers([executablePath, '--version']);

/** An account with the console, and a browser to look at it. */
export interface Stage extends Omit<Visitor, 'leave'> {
  close(): Promise<void>;
}

/** The account of the operator, in a product that nobody else uses. */
export interface OwnStage extends Stage {
  /** Empty on a copy: the first start alone prints it. */
  user: { username: string; password: string };
  database: TestDatabase;
  /** Where the product keeps its files. */
  dataDir: string;
  /** Stops the product. */
  stop(): Promise<void>;
  /** Starts it again where it was. */
  restart(): Promise<void>;
}

/** What a product had when it was stopped, for another one to begin with. */
export interface Beginning {
  database: TestDatabase;
  /** Is copied. */
  dataDir: string;
}

/** An account of its own. Files that run in one process share the product and the browser, and do not notice each other. */
export async function openStage(): Promise<Stage> {
  const { product, browser, close } = await (isSharing() ? takeShared() : makeShared());
  const operator = (place: string, body: object) => call(product.url, token, 'POST', place, body);
  const { uuid } = await operator('/v2/accounts/', { name: 'Parley', default_country: 'GB' });
  const { token: itsOwn } = await operator(`/v2/accounts/${uuid}/tokens/`, {});
  const { leave, ...visitor } = makeVisitor(browser, product.url, itsOwn);
  return { ...visitor, close: isSharing() ? leave : close };
}

/** A product with settings of its own, or for whoever is the operator, stops it, or looks at its first start. */
export async function openOwnStage(env: Record<string, string> = {}, beginning?: Beginning): Promise<OwnStage> {
  const product = await startProduct(env, beginning);
  const browser = await launchBrowser();
  const { leave, ...visitor } = makeVisitor(browser, product.url, token);
  return {
    ...visitor,
    ...product,
    async close() {
      await browser.close();
      await product.close();
    },
  };
}

interface Shared {
  product: Product;
  browser: Browser;
  close(): Promise<void>;
}

let shared: Promise<Shared> | undefined;

/** Another one when that of before broke down: a story that fails does not take the others along. */
async function takeShared(): Promise<Shared> {
  const before = await shared?.catch(() => undefined);
  if (!before?.product.isRunning() || !before.browser.isConnected()) shared = makeShared();
  return shared!;
}

async function makeShared(): Promise<Shared> {
  const product = await startProduct();
  const browser = await launchBrowser();
  const close = async (): Promise<void> => {
    shared = undefined;
    await browser.close();
    await product.close();
  };
  closeWithFolder(close);
  return { product, browser, close };
}

interface Product extends Pick<OwnStage, 'url' | 'user' | 'database' | 'dataDir' | 'stop' | 'restart' | 'close'> {
  isRunning(): boolean;
}

/** The product as a process of its own with the console it serves. */
async function startProduct(env: Record<string, string> = {}, beginning?: Beginning): Promise<Product> {
  built ??= build();
  await built;
  const database = beginning?.database ?? (await createTestDatabase());
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-console-'));
  const dataDir = path.join(directory, 'data');
  if (beginning) await cp(beginning.dataDir, dataDir, { recursive: true });
  let running = 0;
  const start = (more: Record<string, string> = {}) => {
    const parley = startParley(dataDir, {
      DATABASE_URL: database.url,
      BOOTSTRAP_TOKEN: token,
      SIP_PORT: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SIP_ALLOW: '127.0.0.0/8',
      SMPP_ALLOW: '127.0.0.0/8',
      ...env,
      ...more,
    });
    running++;
    void parley.ended.then(() => running--);
    return parley;
  };
  let parley = start();
  const url = await parley.ready();
  const [, username = '', password = ''] = /^ {2}User +(\S+), password (\S+)$/m.exec(parley.output()) ?? [];
  const stop = async (): Promise<void> => {
    parley.signal('SIGTERM');
    await parley.ended;
  };
  return {
    url,
    user: { username, password },
    database,
    dataDir,
    isRunning: () => running > 0,
    stop,
    async restart() {
      await stop();
      parley = start({ PORT: new URL(url).port });
      await parley.ready();
    },
    async close() {
      await stop();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

let built: Promise<unknown> | undefined;

/** Builds the console if it has changed. */
const build = (): Promise<unknown> => inTurn('build-console', () => promisify(execFile)(process.execPath, [builder]));

/** Test files come at once: one of them works, the others wait for it. */
export async function inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
  const lock = new pg.Client(JSON.parse(process.env[testPostgresVariable] ?? '{}'));
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [what]);
    return await work();
  } finally {
    await lock.end();
  }
}
