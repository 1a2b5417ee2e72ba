import type { TemplateStatus } from './world.ts';

/** How the platform behaves when nothing else was said. All can be changed while it runs; delays are divided by speed. */
export interface Settings {
  /** How far messages come by themselves, unless the person has a `reach` of their own. */
  reach: 'none' | 'sent' | 'delivered' | 'read';
  sentAfterMs: number;
  deliveredAfterMs: number;
  readAfterMs: number;
  /** Free-form messages are refused when the person did not write within 24 hours. */
  enforceWindow: boolean;
  /** Problems with the recipient that are told by a `failed` status rather than at once. */
  lateCodes: number[];
  /** What template sends say in `message_status`; null leaves it out. `paused` fails later with 132015. */
  templateMessageStatus: 'accepted' | 'held_for_quality_assessment' | 'paused' | null;
  reviewAfterMs: number;
  /** null: templates stay PENDING until told otherwise. */
  reviewDecision: Extract<TemplateStatus, 'APPROVED' | 'REJECTED'> | null;
  /** One message per person and number in this time, with bursts; null: no limit. */
  pairEveryMs: number | null;
  pairBurst: number;
  managementPerHour: number | null;
  /** The platform's table says 400 for throttling; older answers were seen with 429. */
  throttleStatus: 400 | 429;
  /** Links that cannot be fetched: the message fails with 131053. */
  brokenLinks: string[];
  /** `@` is printed as `\u0040` in webhooks. */
  escapeAt: boolean;
  /** Updates in one webhook POST, at most 1,000. */
  batchMax: number;
  /** How long updates wait for company. */
  batchWaitMs: number;
  /** Webhook POSTs under way at the same time; with more than one, their order is not kept. */
  concurrency: number;
  /** Share of webhook POSTs that are sent twice. */
  duplicateShare: number;
  /** Updates that wait together leave in random order. */
  shuffle: boolean;
  /** Waits before each further try of a webhook that was not answered with 200; it is given up after the last. */
  retryAfterMs: number[];
  /** How long an answer to a webhook is waited for; real time, whatever the speed. */
  webhookTimeoutMs: number;
  /** Requests and deliveries kept for inspection. */
  keep: number;
}

const minute = 60_000;
const hour = 60 * minute;

export const defaultSettings = (): Settings => ({
  reach: 'read',
  sentAfterMs: 200,
  deliveredAfterMs: 600,
  readAfterMs: 1500,
  enforceWindow: true,
  lateCodes: [130472, 131026, 131049, 131050],
  templateMessageStatus: 'accepted',
  reviewAfterMs: 2000,
  reviewDecision: 'APPROVED',
  pairEveryMs: 6000,
  pairBurst: 45,
  managementPerHour: 5000,
  throttleStatus: 400,
  brokenLinks: [],
  escapeAt: true,
  batchMax: 1000,
  batchWaitMs: 0,
  concurrency: 16,
  duplicateShare: 0,
  shuffle: false,
  // At once, then less and less often for seven days.
  retryAfterMs: [0, minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, ...Array<number>(13).fill(12 * hour)],
  webhookTimeoutMs: 10_000,
  keep: 100_000,
});
