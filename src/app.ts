import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { fieldDescriptions, readAnswers, tagDescriptions } from './api-words.ts';
import { serveCloudWebhook } from './carriers/cloud-api/index.ts';
import type { Inbox } from './carriers/ports/inbox.ts';
import { sandboxRoutes } from './carriers/sandbox/index.ts';
import { serveConsole } from './console/serve.ts';
import type { Deps, Task } from './deps.ts';
import {
  accountRoutes,
  auditEvents,
  makeAuthenticator,
  makeTokenUses,
  serveScim,
  whileSandboxIsOn,
} from './domains/accounts/index.ts';
import { agentRoutes } from './domains/agents/index.ts';
import { audioRoutes, audioTasks } from './domains/audio/index.ts';
import { campaignEvents, campaignRoutes } from './domains/campaigns/index.ts';
import { chatappAccountRoutes } from './domains/chatapp-accounts/index.ts';
import { contactRoutes } from './domains/contacts/index.ts';
import { flowRoutes, flowTasks } from './domains/flows/index.ts';
import { inboundEvents, inboundTasks, makeInbox } from './domains/inbound/index.ts';
import { insightEvents, insightRoutes } from './domains/insights/index.ts';
import {
  introEvents,
  introRoutes,
  introTasks,
  linkOperations,
  serveLinks,
  startByCall,
} from './domains/intros/index.ts';
import { acceptJob, jobEvents, jobRoutes } from './domains/jobs/index.ts';
import { leadEvents, makeLeadRoutes } from './domains/leads/index.ts';
import { mediaRoutes, mediaTasks } from './domains/media/index.ts';
import { conversationRoutes, Message, messageEvents, messageRoutes, messageTasks } from './domains/messages/index.ts';
import { numberEvents, numberRoutes } from './domains/numbers/index.ts';
import { optOutEvents, optOutRoutes } from './domains/optouts/index.ts';
import { peopleRoutes } from './domains/people/index.ts';
import { makeScheduleRoutes, reportEvents, reportRoutes, reportTasks } from './domains/reports/index.ts';
import { routingRoutes } from './domains/routing/index.ts';
import { safeguardEvents, safeguardRoutes } from './domains/safeguards/index.ts';
import { SmsRecord, smsEvents, smsRoutes, smsTasks } from './domains/sms/index.ts';
import { templateEvents, templateRoutes, templateTasks } from './domains/templates/index.ts';
import { serveEventStream, streamOperations, timelineRoutes } from './domains/timeline/index.ts';
import { Call, callEvents, voiceRoutes, voiceTasks } from './domains/voice/index.ts';
import { type EventType, eventTypes, webhookEvents, webhookRoutes, webhookTasks } from './domains/webhooks/index.ts';
import { serveHelp } from './help/serve.ts';
import type { Db } from './platform/db/connect/pool.ts';
import { makeGate } from './platform/http/access/gate.ts';
import { type Draw, drawAllowance, makeSharedLimiter } from './platform/http/access/rate-limit.ts';
import { serveDocs } from './platform/http/openapi/docs-page.ts';
import { openApiDocument } from './platform/http/openapi/openapi.ts';
import type { Route } from './platform/http/route.ts';
import { makeServer } from './platform/http/server.ts';
import { serveSystem, systemOperations } from './platform/http/system-routes.ts';
import type { Traces } from './platform/observe/traces.ts';
import type { CertificateFiles } from './platform/tls/certificate-files.ts';
import { productVersion } from './platform/version.ts';
import { onReplica, within } from './platform/within.ts';
import { showUnhandledErrors, type UnhandledErrors } from './unhandled-errors.ts';
import type { Acknowledged } from './upkeep/acknowledged.ts';
import { contentTasks } from './upkeep/content-pass.ts';
import { maintenanceTasks, retentionTasks } from './upkeep/retention.ts';

/** Every operation of the API, room by room. */
export const routes: Route<AppDeps>[] = [
  ...accountRoutes,
  ...timelineRoutes,
  ...numberRoutes,
  ...webhookRoutes,
  ...chatappAccountRoutes,
  ...templateRoutes,
  ...messageRoutes,
  ...conversationRoutes,
  ...flowRoutes,
  ...mediaRoutes,
  ...introRoutes,
  ...makeLeadRoutes(startByCall),
  ...contactRoutes,
  ...optOutRoutes,
  ...safeguardRoutes,
  ...smsRoutes,
  ...voiceRoutes,
  ...jobRoutes,
  ...campaignRoutes,
  ...agentRoutes,
  ...audioRoutes,
  ...routingRoutes,
  ...insightRoutes,
  ...reportRoutes,
  ...makeScheduleRoutes(acceptJob),
  ...peopleRoutes,
  ...whileSandboxIsOn(sandboxRoutes(Message, SmsRecord, Call)),
];

/** What the events of webhooks tell, room by room. A type of event without a model does not compile. */
export const eventData: Record<EventType, TSchema> = {
  ...webhookEvents,
  ...auditEvents,
  ...numberEvents,
  ...templateEvents,
  ...messageEvents,
  ...introEvents,
  ...leadEvents,
  ...optOutEvents,
  ...safeguardEvents,
  ...smsEvents,
  ...callEvents,
  ...inboundEvents,
  ...jobEvents,
  ...campaignEvents,
  ...insightEvents,
  ...reportEvents,
};

/** All background work. */
export const tasks: Task[] = [
  ...maintenanceTasks,
  ...retentionTasks,
  ...contentTasks,
  ...webhookTasks,
  ...flowTasks,
  ...templateTasks,
  ...mediaTasks,
  ...messageTasks,
  ...smsTasks,
  ...inboundTasks,
  ...introTasks,
  ...voiceTasks,
  ...audioTasks,
  ...reportTasks,
];

/** The OpenAPI document of all operations and webhook events. */
export const apiDocument = (): object =>
  openApiDocument(
    [...routes, ...streamOperations, ...linkOperations, ...systemOperations],
    {
      title: 'Parley',
      version: productVersion(),
      description:
        'Numbers, SMS, voice, chat-app messages, chat intros and campaigns behind one HTTP/JSON API. ' +
        'Telephone numbers may be written in any notation: international, with `00`, or national in the `default_country` of the account.',
    },
    Object.entries(eventTypes).map(([type, [, description]]) => ({
      type,
      description,
      data: eventData[type as EventType],
    })),
    { fields: fieldDescriptions, tags: tagDescriptions, answers: readAnswers() },
  );

export interface AppOptions {
  /** The database for operations of one tag. */
  apiFor(tag: string): Db;
  /** What was answered with success, while it can still be lost. */
  acknowledged: Acknowledged;
  /** How many errors nobody handled. */
  unhandled: UnhandledErrors;
  traces?: Traces | undefined;
  /** With it, HTTPS is spoken. */
  certificate?: CertificateFiles | undefined;
  /** What `/metrics` shows. */
  readMetrics(): Promise<string>;
  /** What else is wrong with the process's surroundings, for `/readyz`. */
  problems(): Promise<Record<string, string | null>>;
}

/** What operations are given: they may bring in what a carrier would, as those of the sandbox do. */
interface AppDeps extends Deps {
  /** Where carriers bring what happens on their side. */
  inbox: Inbox;
}

const withInbox = (deps: Deps): AppDeps => ({ ...deps, inbox: makeInbox(deps) });

/** The HTTP application: the API, if that is a role of this process, and what every process answers about itself. */
export async function buildApp(deps: Deps, options: AppOptions): Promise<FastifyInstance> {
  const { apiFor, acknowledged, unhandled, traces, certificate, readMetrics, problems } = options;
  const { metrics } = deps;
  showUnhandledErrors(metrics, unhandled);
  const isApi = deps.config.roles.has('api');
  const authenticate = makeAuthenticator(deps);
  const uses = makeTokenUses(deps);
  const draw: Draw = (accountId, wanted) => drawAllowance(deps.db, accountId, wanted);
  const gate = makeGate({
    authenticate,
    accounts: makeSharedLimiter({ draw, log: deps.log }),
    unauthenticatedPerMinute: deps.config.UNAUTHENTICATED_REQUESTS_PER_MINUTE,
  });
  const app = makeServer({
    deps: withInbox(deps),
    log: deps.log,
    ...(traces && { traces }),
    metrics,
    trustProxy: deps.config.trustProxy,
    connections: connectionLimitsOf(deps.config),
    certificate,
    hsts: { seconds: deps.config.HSTS_SECONDS, behindProxy: deps.config.HSTS_BEHIND_PROXY },
    publicUrl: deps.config.PUBLIC_URL,
    files: deps.files,
    routes: isApi ? routes : [],
    gate,
    onUse: uses.note,
    onSuccess: acknowledged.noteOf,
    depsFor: (tag) => withInbox({ ...deps, db: apiFor(tag) }),
    reading: { of: onReplica, failed: (error) => deps.replica?.failed(error) },
    within: (deps, work) => within(deps, (inside) => work(withInbox(inside))),
  });
  app.addHook('onClose', () => uses.stop());
  serveSystem(app, {
    db: deps.db,
    readMetrics,
    metricsToken: deps.config.METRICS_TOKEN,
    problems: async () => ({ ...(await problemsOf(deps)), ...(await problems()) }),
  });
  if (isApi) serveDocs(app, apiDocument);
  if (isApi) serveEventStream(app, deps, { gate, authenticate });
  if (isApi) serveScim(app, deps, { gate, onUse: uses.note });
  if (isApi) serveLinks(app, deps, metrics);
  if (deps.config.roles.has('console')) serveConsole(app, { publicUrl: deps.config.PUBLIC_URL });
  if (deps.config.roles.has('console')) serveHelp(app, apiDocument);
  if (deps.config.roles.has('connector')) serveCloudWebhook(app, withInbox(deps));
  await app.ready();
  return app;
}

const connectionLimitsOf = (config: Deps['config']) => ({
  most: config.MAX_CONNECTIONS,
  mostPerAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
  headersTimeoutMs: config.HEADERS_TIMEOUT_SECONDS * 1000,
  bodyTimeoutMs: config.BODY_TIMEOUT_SECONDS * 1000,
  minBytesPerSecond: config.BODY_MIN_BYTES_PER_SECOND,
  idleTimeoutMs: config.IDLE_TIMEOUT_SECONDS * 1000,
});

async function problemsOf({ queue, carriers }: Deps): Promise<Record<string, string | null>> {
  const checks = carriers.all().map(async (one) => [one.name, (await one.problem?.()) ?? null] as const);
  return Object.fromEntries([['queue', await queue.problem()], ...(await Promise.all(checks))]);
}
