import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { buildApp, tasks } from './app.ts';
import { makeAsterisk } from './carriers/asterisk/index.ts';
import { makeCloudApi } from './carriers/cloud-api/index.ts';
import { makeCarriers } from './carriers/ports/carriers.ts';
import { makeSandbox } from './carriers/sandbox/index.ts';
import { makeSip } from './carriers/sip/index.ts';
import { makeSmpp } from './carriers/smpp/index.ts';
import type { Deps } from './deps.ts';
import { type Bootstrapped, bootstrap } from './domains/accounts/index.ts';
import { startCampaigns } from './domains/campaigns/index.ts';
import { makeInbox, smsHooks, startReading, startStoringAgain } from './domains/inbound/index.ts';
import { startInsights } from './domains/insights/index.ts';
import { startIntroTimers } from './domains/intros/index.ts';
import { acceptJob, startJobs } from './domains/jobs/index.ts';
import { startDelivery } from './domains/messages/index.ts';
import { ensureNumberPool } from './domains/numbers/index.ts';
import { startReportSchedules } from './domains/reports/index.ts';
import { makeIncidents } from './domains/safeguards/index.ts';
import { startLinks, startSmsDelivery } from './domains/sms/index.ts';
import { startCalls } from './domains/voice/index.ts';
import { startWebhookDelivery } from './domains/webhooks/index.ts';
import { makeCaches } from './platform/caches.ts';
import type { Config } from './platform/config.ts';
import { followContent, learnContentAnyAccount } from './platform/content/follow.ts';
import { followDatabaseClock } from './platform/db/clock.ts';
import { openDatabase } from './platform/db/connect/database.ts';
import { startListener } from './platform/db/connect/listener.ts';
import { type Connection, isDistributed } from './platform/db/connect/pool.ts';
import { readLayout } from './platform/db/distribute/layout.ts';
import { openFiles } from './platform/files/open.ts';
import { makeSealedFiles } from './platform/files/sealed.ts';
import { clockJumpCounter, makeMetrics, readOwnMetrics } from './platform/http/metrics.ts';
import { followDataKeys } from './platform/keys/data-keys.ts';
import { openVault } from './platform/keys/open-vault.ts';
import type { Log } from './platform/log.ts';
import { makeObserver } from './platform/observe/observer.ts';
import { showEventLoopDelay, showPools, spanCounter } from './platform/observe/process-metrics.ts';
import type { Traces } from './platform/observe/traces.ts';
import { makeGuard } from './platform/outbound/guard.ts';
import { makeResolve } from './platform/outbound/resolver.ts';
import { makePasswords, type PasswordCosts, passwordCosts } from './platform/passwords.ts';
import { watchDisk } from './platform/process/disk.ts';
import { registerProcess } from './platform/process/living.ts';
import { holdsConnections, type Part, poolSizeOf } from './platform/process/parts.ts';
import { makeRunning, makeStopSteps, type StopSteps } from './platform/process/stop-steps.ts';
import { makeQueue } from './platform/queue/queue.ts';
import { makeSounds } from './platform/speech/sounds.ts';
import { systemClock } from './platform/time/clock.ts';
import { type Certificates, openCertificates } from './platform/tls/certificate-files.ts';
import { productVersion } from './platform/version.ts';
import { makeBatches } from './platform/work/batches.ts';
import { makeForeground } from './platform/work/foreground.ts';
import { noUnhandledErrors, type UnhandledErrors } from './unhandled-errors.ts';
import { startAcknowledged } from './upkeep/acknowledged.ts';
import { startAuditSealing } from './upkeep/audit-sealing.ts';
import { startMasking } from './upkeep/masking.ts';
import { showQueues } from './upkeep/queues.ts';
import { uses } from './uses.ts';

export interface StartOptions {
  config: Config;
  connection: Connection;
  /** The ring, the newest first. */
  secretKeys: readonly string[];
  log: Log;
  /** What `keepServing` counts. */
  unhandled?: UnhandledErrors;
  /** Which of several processes this is; without it, the only one. */
  part?: Part;
  /** What `/metrics` shows, if not what this process counts alone. */
  readMetrics?(own: Registry): Promise<string>;
  /** What a password costs to check. */
  passwordCosts?: PasswordCosts;
}

export interface Running {
  app: FastifyInstance;
  deps: Deps;
  first: Bootstrapped;
  /** Reads the files of certificates again, though they may not look changed. */
  reloadCertificates(): Promise<void>;
  /** Stops taking requests, finishes what is under way, and lets go of the database. */
  stop(): Promise<void>;
}

/** Builds everything on a migrated database, top to bottom, and starts the roles of this process. */
export async function start(options: StartOptions): Promise<Running> {
  const atEnd = makeStopSteps(options.log);
  try {
    return { ...(await build(options, atEnd)), stop: () => atEnd.run() };
  } catch (error) {
    await atEnd.run();
    throw error;
  }
}

async function build(options: StartOptions, atEnd: StopSteps) {
  const { config, connection, secretKeys, log } = options;
  const part = options.part ?? { number: 1, count: 1 };
  const certificates = await openCertificates(config, log);
  atEnd.add('the watch of certificates', async () => certificates.close());
  const limits = {
    statementMs: config.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1000,
    lockMs: config.DATABASE_LOCK_TIMEOUT_SECONDS * 1000,
  };
  const database = openDatabase(connection, log, limits, poolSizeOf(part.count));
  atEnd.add('the database connections', () => database.close());
  const db = database.background;
  await readLayout(db);
  const vault = await openVault(db, secretKeys, { isChanged: config.SECRET_KEY_CHANGED, log });
  const { content } = database;
  content.learnKeys(() => vault.keys());
  await learnContentAnyAccount(db, content);
  const passwords = makePasswords(options.passwordCosts ?? passwordCosts);
  const first = await bootstrap(db, passwords, config.BOOTSTRAP_TOKEN);
  const listener = await startListener(connection, log, { isDistributed: isDistributed(db) });
  atEnd.add('the database listener', () => listener.close());
  const ownRoles = [...config.roles].filter((role) => role !== 'connector' || holdsConnections(part));
  const keyIds = vault.ring.map(({ id }) => id);
  await registerProcess(db, listener, { roles: ownRoles, keyIds });
  const followedKeys = followDataKeys(db, { vault, listener, log });
  atEnd.add('the data keys', () => followedKeys.stop());
  const followedContent = followContent(db, { content, listener, log });
  atEnd.add('whose content is encrypted', () => followedContent.stop());
  const metrics = makeMetrics();
  const traces = await openTraces(config, { metrics, log, instance: `${listener.workerNumber}` });
  if (traces) atEnd.add('traces', () => traces.stop());
  const observer = makeObserver(metrics, traces);
  showPools(metrics, database.pools);
  const delay = showEventLoopDelay(metrics);
  atEnd.add('the watch of the event loop', async () => delay.stop());
  // All processes of a server would see the same.
  if (part.number === 1) showQueues(metrics, db);
  const clock = systemClock;
  const jumps = clockJumpCounter(metrics);
  const followed = await followDatabaseClock(db, {
    log,
    onJump(which) {
      jumps.inc({ clock: which });
      listener.wakeAll();
    },
  });
  atEnd.add('the database clock', () => followed.stop());
  const { webhook, sip: trunks, smpp, sso } = config.allow;
  // One for all: names of the local network take turns.
  const resolve = makeResolve();
  const guards = {
    webhook: makeGuard(webhook, resolve),
    sip: makeGuard(trunks, resolve),
    smpp: makeGuard(smpp, resolve),
    sso: makeGuard(sso, resolve),
  };
  const sip = makeSip({
    db,
    listener,
    clock,
    log,
    vault,
    guard: guards.sip,
    ...sipOf(config, certificates),
    onSpeech: observer.speech,
  });
  const asterisk = config.ASTERISK_URL ? makeAsterisk({ clock, log, settings: asteriskOf(config) }) : undefined;
  const opened = await openFiles(config, log);
  atEnd.add('files', () => opened.stop());
  const caches = makeCaches(listener);
  const batches = makeBatches(gatheringOf(part));
  const foreground = makeForeground();
  const incidents = makeIncidents({ db, caches, batches, listener, clock, vault, log });
  atEnd.add('what safeguards refused', () => incidents.stop());
  const deps: Deps = {
    db,
    replica: database.replica,
    queue: makeQueue({ pool: database.backgroundPool, listener, log }),
    batches,
    foreground,
    caches,
    listener,
    running: makeRunning(),
    carriers: makeCarriers([
      sip,
      ...(asterisk ? [asterisk] : []),
      makeSandbox({ db, listener, clock, log, observer, foreground }),
      makeCloudApi({ config: cloudApiOf(config), clock, log, onRequest: observer.request }),
      makeSmpp({ clock, log, onRequest: observer.request }),
    ]),
    clock,
    vault,
    passwords,
    guards,
    files: makeSealedFiles(opened.files, content),
    sounds: makeSounds(config.dataDir, config.SPEECH_PROGRAM, { searchPath: config.searchPath }),
    uses,
    incidents,
    log,
    metrics,
    observer,
    config,
  };
  atEnd.add('sounds', () => deps.sounds.close());
  const disk = watchDisk(config.dataDir, { log, metrics });
  atEnd.add('the watch of the disk', () => disk.stop());
  const acknowledged = startAcknowledged(deps);
  atEnd.add('what was acknowledged', () => acknowledged.stop());
  const storingAgain = startStoringAgain(deps);
  atEnd.add('payloads that came lately', () => storingAgain.stop());
  // Routes are mounted while the database is asked for what follows.
  const building = buildApp(
    { ...deps, db: database.api },
    {
      acknowledged,
      unhandled: options.unhandled ?? noUnhandledErrors,
      traces,
      certificate: certificates.https,
      apiFor: database.apiFor,
      readMetrics: () => (options.readMetrics ?? readOwnMetrics)(metrics),
      async problems() {
        const full = database.problem();
        const store = opened.problem();
        return {
          disk: await disk.problem(),
          ...(store !== undefined && { files: store }),
          ...(full !== null && { database: full }),
        };
      },
    },
  );
  building.catch(() => {});
  // After a start that failed; else it is closed already.
  atEnd.add('the routes', async () => (await building).close());
  const inbox = makeInbox(deps);
  atEnd.add('the task queue', () => deps.queue.stop());
  const worker = config.roles.has('worker');
  await Promise.all([ensureNumberPool(db, deps.carriers), deps.queue.start(tasks, deps, { work: worker })]);
  for (const carrier of deps.carriers.all()) atEnd.add(`carrier ${carrier.name}`, async () => carrier.stop?.());
  const connector = config.roles.has('connector') && holdsConnections(part);
  if (connector) {
    await Promise.all(deps.carriers.all().map((carrier) => carrier.start?.(inbox)));
    const links = startLinks(deps, smsHooks);
    atEnd.add('SMS links', () => links.stop());
    // Legs live in the process that has them, so calls are carried where the connections are.
    const carriers = deps.carriers.all('voice');
    for (const { name, voice } of carriers) atEnd.add(`calls by ${name}`, () => voice.close());
    const calls = startCalls(deps);
    atEnd.add('calls', () => calls.stop(), config.CALL_DRAIN_SECONDS * 1000);
    for (const { name, voice } of carriers) {
      const listening = voice.listen(calls.onCall);
      atEnd.add(`new calls by ${name}`, () => listening.stop());
    }
  }
  // A link is used by the process that holds it, one that needs no connection by any worker.
  if (worker || connector) {
    const delivery = startSmsDelivery(deps);
    atEnd.add('SMS delivery', () => delivery.stop());
  }
  if (worker) {
    const delivery = startDelivery(deps);
    atEnd.add('message delivery', () => delivery.stop());
    const reading = startReading(deps);
    atEnd.add('inbound reading', () => reading.stop());
    const timers = startIntroTimers(deps);
    atEnd.add('intro timers', () => timers.stop());
    const jobs = startJobs(deps);
    atEnd.add('jobs', () => jobs.stop());
    const campaigns = startCampaigns(deps);
    atEnd.add('campaigns', () => campaigns.stop());
    const insights = startInsights(deps);
    atEnd.add('insights', () => insights.stop());
    const reports = startReportSchedules(deps, acceptJob);
    atEnd.add('report schedules', () => reports.stop());
    const sealing = startAuditSealing(deps);
    atEnd.add('the audit log', () => sealing.stop());
    const masking = startMasking(deps);
    atEnd.add('masking', () => masking.stop());
    const webhooks = startWebhookDelivery(deps);
    atEnd.add('webhook delivery', () => webhooks.stop());
  }
  const app = await building;
  atEnd.add('the HTTP server', () => app.close());
  return { app, deps, first, reloadCertificates: certificates.reload };
}

/** Traces, where a collector is set; what they need is read only then. */
async function openTraces(
  config: Config,
  { metrics, log, instance }: { metrics: Registry; log: Log; instance: string },
): Promise<Traces | undefined> {
  const spans = spanCounter(metrics);
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return undefined;
  const { startOtel } = await import('./platform/observe/otel.ts');
  return startOtel({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: config.OTEL_SERVICE_NAME,
    serviceVersion: productVersion(),
    instance,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    log,
    count: (result, count) => spans.inc({ result }, count),
  });
}

/** Of several processes each has a part of the requests: batches that leave less often are as large as those of a single one. */
const gatheringOf = ({ count }: Part) =>
  count === 1 ? { largest: 500, inFlight: 2 } : { largest: 500, inFlight: 1, apartMs: 8 * count, quietMs: 1 };

const sipOf = (config: Config, { sip: certificate }: Certificates) => ({
  settings: {
    host: config.SIP_HOST,
    port: config.SIP_PORT,
    secure: { port: config.SIP_TLS_PORT, certificate },
    publicAddress: config.SIP_PUBLIC_ADDRESS,
    rtpPorts: config.rtpPorts,
    rtpThreads: config.RTP_THREADS,
  },
});

const asteriskOf = (config: Config) => ({
  url: config.ASTERISK_URL,
  user: config.ASTERISK_USER,
  password: config.ASTERISK_PASSWORD,
  app: config.ASTERISK_APP,
  endpoints: { number: config.ASTERISK_ENDPOINT, address: config.ASTERISK_SIP_ENDPOINT },
  sounds: { directory: join(config.dataDir, 'asterisk'), place: config.ASTERISK_SOUNDS },
});

const cloudApiOf = (config: Config) => ({
  url: config.CLOUD_API_URL,
  version: config.CLOUD_API_VERSION,
  timeoutMs: config.CLOUD_API_TIMEOUT_SECONDS * 1000,
});
