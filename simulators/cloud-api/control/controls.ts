import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { phoneDigits } from '../../../src/platform/phone.ts';
import { controlPerson, type PersonControl } from '../people/control.ts';
import type { Sim } from '../sim.ts';
import { changeCategory, changeQuality, decide } from '../templates/review.ts';
import { verifyCallback } from '../webhooks/subscriptions.ts';
import type { Account, PhoneNumber, Template, TemplateStatus } from '../world.ts';

type NewTemplate = Partial<Template> & Pick<Template, 'name' | 'components'>;

/** What a test, or the control surface, can make the platform and its people do. */
export interface Controls {
  person(phone: string): PersonControl;
  addAccount(account?: Partial<Account>): Account;
  addNumber(phone: string, number?: Partial<PhoneNumber>): PhoneNumber;
  /** A template that is there already, approved unless it says otherwise. */
  addTemplate(template: NewTemplate): Template;
  decideTemplate(id: string, status: TemplateStatus, reason?: string): void;
  changeTemplateQuality(id: string, quality: Template['quality']): void;
  changeTemplateCategory(id: string, category: string): void;
  /** Any other update of an account: `account_update`, `phone_number_quality_update` … */
  tell(field: string, value: object, accountId?: string): void;
  /** The handshake, then the callback. */
  setWebhook(url: string, verifyToken: string): Promise<void>;
  expireToken(token: string): void;
  /** Moves the platform's clock. */
  advance(ms: number): void;
  /** Resolves when nothing is under way: no status to come, no webhook unanswered. */
  idle(): Promise<void>;
}

export function controlsOf(sim: Sim): Controls {
  const { world, ids } = sim;
  const templateOf = (id: string): Template => {
    const template = world.templates.get(id);
    if (!template) throw new Error(`There is no template ${id}.`);
    return template;
  };
  return {
    person: (phone) => controlPerson(sim, phone),
    addAccount(account = {}) {
      const id = account.id ?? ids.object();
      const usual = { name: `Account ${id}`, subscribed: true, override: null, locked: false, maxTemplates: 6000 };
      const added: Account = { ...usual, blockedNames: new Map(), ...account, id };
      world.accounts.set(id, added);
      return added;
    },
    addNumber(phone, number = {}) {
      const digits = phoneDigits(phone);
      const added: PhoneNumber = {
        accountId: [...world.accounts.keys()][0]!,
        callingCode: parsePhoneNumberFromString(`+${digits}`)?.countryCallingCode ?? '',
        verifiedName: 'Simulated business',
        quality: 'GREEN',
        status: 'CONNECTED',
        throughputPerSecond: 80,
        messagingLimit: 'TIER_UNLIMITED',
        override: null,
        profile: {},
        blocked: new Set(),
        ...number,
        id: number.id ?? ids.object(),
        digits,
      };
      if (!world.accounts.has(added.accountId)) throw new Error(`There is no account ${added.accountId}.`);
      world.numbers.set(added.id, added);
      return added;
    },
    addTemplate(template) {
      const added: Template = {
        id: ids.object(),
        accountId: [...world.accounts.keys()][0]!,
        language: 'en_US',
        category: 'UTILITY',
        previousCategory: null,
        status: 'APPROVED',
        rejectedReason: 'NONE',
        quality: 'GREEN',
        qualityDate: sim.time.seconds(),
        parameterFormat: 'POSITIONAL',
        ttlSeconds: null,
        edits: [],
        ...template,
      };
      world.templates.set(added.id, added);
      return added;
    },
    decideTemplate: (id, status, reason) => decide(sim, templateOf(id), status, reason),
    changeTemplateQuality: (id, quality) => changeQuality(sim, templateOf(id), quality),
    changeTemplateCategory: (id, category) => changeCategory(sim, templateOf(id), category),
    tell(field, value, accountId = [...world.accounts.keys()][0]!) {
      sim.outbox.emit({ accountId, numberId: null, field, value });
    },
    async setWebhook(url, verifyToken) {
      await verifyCallback(sim, { url, verifyToken });
      world.app.callback = { url, verifyToken };
    },
    expireToken(token) {
      world.tokens.set(token, { expired: true });
    },
    advance: (ms) => sim.time.advance(ms),
    async idle() {
      while (sim.time.waiting() > 0 || sim.outbox.busy() > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    },
  };
}
