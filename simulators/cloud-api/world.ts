import type { TemplateComponent } from './templates/parts.ts';

/** Where webhooks go, when an account or a number has its own place. */
export interface Callback {
  url: string;
  verifyToken: string;
}

/** A business account (the platform's WABA): owns numbers, templates and flows. */
export interface Account {
  id: string;
  name: string;
  /** Whether the app listens to it (`subscribed_apps`); nothing is posted otherwise. */
  subscribed: boolean;
  override: Callback | null;
  locked: boolean;
  maxTemplates: number;
  /** Names of deleted approved templates, unusable until that moment. */
  blockedNames: Map<string, Date>;
}

export type NumberStatus = 'CONNECTED' | 'PENDING' | 'DISCONNECTED' | 'FLAGGED' | 'RESTRICTED' | 'BANNED';

export interface PhoneNumber {
  id: string;
  accountId: string;
  /** International, without plus: what `metadata.display_phone_number` says. */
  digits: string;
  callingCode: string;
  verifiedName: string;
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN';
  status: NumberStatus;
  /** null: unlimited. */
  throughputPerSecond: number | null;
  messagingLimit: string;
  override: Callback | null;
  profile: Record<string, unknown>;
  blocked: Set<string>;
}

export type TemplateStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED' | 'IN_APPEAL' | 'ARCHIVED';

export interface Template {
  id: string;
  accountId: string;
  name: string;
  language: string;
  category: string;
  previousCategory: string | null;
  status: TemplateStatus;
  rejectedReason: string;
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN';
  qualityDate: number;
  parameterFormat: 'POSITIONAL' | 'NAMED';
  components: TemplateComponent[];
  ttlSeconds: number | null;
  /** When an approved one was edited: once a day, ten times a month. */
  edits: Date[];
}

export interface Media {
  id: string;
  numberId: string;
  mimeType: string;
  sha256: string;
  bytes: Buffer;
  expires: Date;
}

export interface UploadSession {
  id: string;
  fileType: string;
  fileLength: number;
  received: Buffer;
}

export interface Flow {
  id: string;
  accountId: string;
  name: string;
  status: 'DRAFT' | 'PUBLISHED' | 'DEPRECATED' | 'THROTTLED' | 'BLOCKED';
  categories: string[];
  json: string | null;
  /** What `mode: published` serves while a newer draft is edited. */
  publishedJson: string | null;
  validationErrors: Record<string, unknown>[];
  endpointUri: string | null;
  previewToken: string;
  previewExpires: Date;
  /** Moments of sends while THROTTLED: ten an hour. */
  sends: Date[];
}

/** How a person's phone takes what is sent to it. */
export interface PersonBehaviour {
  /** How far messages come by themselves; null: as the settings say. */
  reach: 'none' | 'sent' | 'delivered' | 'read' | null;
  /** Every message fails with this code after being accepted. */
  failCode: number | null;
  /** Every message is refused at once with this code. */
  refuseCode: number | null;
  stoppedMarketing: boolean;
  /** The phone number is kept from businesses that did not use it lately. */
  phoneHidden: boolean;
  name: string;
  username: string | null;
}

export interface Person extends PersonBehaviour {
  waId: string;
  userId: string;
  country: string;
}

/** What passed between one number and one person. */
export interface Chat {
  lastInboundAt: Date | null;
  /** When the person came by an advertisement. */
  referralAt: Date | null;
  /** When the phone number itself was last used; it stays visible for 30 days. */
  phoneUsedAt: Date | null;
}

export interface Message {
  id: string;
  direction: 'in' | 'out';
  numberId: string;
  person: Person;
  type: string;
  /** As the client sent it, or as the webhook tells it. */
  payload: Record<string, unknown>;
  template: Template | null;
  /** Addressed to the phone number, not to the business-scoped id. */
  byPhone: boolean;
  at: Date;
  statuses: string[];
  readByBusiness: boolean;
}

/** Everything the simulated platform knows, in memory. */
export interface World {
  app: { id: string; secret: string; callback: Callback | null; fields: Set<string> };
  /** Token → whether it has expired. */
  tokens: Map<string, { expired: boolean }>;
  accounts: Map<string, Account>;
  numbers: Map<string, PhoneNumber>;
  templates: Map<string, Template>;
  media: Map<string, Media>;
  uploads: Map<string, UploadSession>;
  /** Upload handle → mime type. */
  handles: Map<string, string>;
  flows: Map<string, Flow>;
  people: Map<string, Person>;
  peopleByUserId: Map<string, Person>;
  chats: Map<string, Chat>;
  messages: Map<string, Message>;
}

export const makeWorld = (app: World['app']): World => ({
  app,
  tokens: new Map(),
  accounts: new Map(),
  numbers: new Map(),
  templates: new Map(),
  media: new Map(),
  uploads: new Map(),
  handles: new Map(),
  flows: new Map(),
  people: new Map(),
  peopleByUserId: new Map(),
  chats: new Map(),
  messages: new Map(),
});

/** The chat of a number and a person, begun at its first use. */
export function chatOf(world: World, numberId: string, person: Person): Chat {
  const key = `${numberId} ${person.userId}`;
  let chat = world.chats.get(key);
  if (!chat) {
    chat = { lastInboundAt: null, referralAt: null, phoneUsedAt: null };
    world.chats.set(key, chat);
  }
  return chat;
}

export const dayMs = 86_400_000;

/** Whether the business may see the person's phone number: not hidden, or used with this number in the last 30 days. */
export function phoneVisible(world: World, numberId: string, person: Person, now: Date): boolean {
  const usedAt = chatOf(world, numberId, person).phoneUsedAt;
  return !person.phoneHidden || (usedAt !== null && now.getTime() - usedAt.getTime() < 30 * dayMs);
}
