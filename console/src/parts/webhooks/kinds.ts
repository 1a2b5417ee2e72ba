import type { Schema } from '../../api/index.ts';

export type Webhook = Schema<'ChatappWebhook'> | Schema<'NumberWebhook'>;
export type Kind = 'chat' | 'number';

/** The two kinds of webhooks differ in their addresses and in what names them. */
interface KindDoor {
  kind: Kind;
  /** In a sentence: `a number webhook`. */
  what: string;
  /** Of the list, in the console. */
  home: string;
  heardBy: Schema<'WebhookType'>['heard_by'];
  list: '/v2/chatapp/webhooks/' | '/v2/number/webhooks/';
  one: '/v2/chatapp/webhooks/{uuid}/' | '/v2/number/webhooks/{name}/';
  test: '/v2/chatapp/webhooks/{uuid}/test/' | '/v2/number/webhooks/{name}/test/';
  rotate: '/v2/chatapp/webhooks/{uuid}/rotate-secret/' | '/v2/number/webhooks/{name}/rotate-secret/';
  params(id: string): { uuid: string; name: string };
}

// The name that a path does not have is not used.
const params = (id: string) => ({ uuid: id, name: id });

export const doors: Record<Kind, KindDoor> = {
  chat: {
    kind: 'chat',
    what: 'chat-app webhook',
    home: '/webhooks',
    heardBy: 'CHATAPP',
    list: '/v2/chatapp/webhooks/',
    one: '/v2/chatapp/webhooks/{uuid}/',
    test: '/v2/chatapp/webhooks/{uuid}/test/',
    rotate: '/v2/chatapp/webhooks/{uuid}/rotate-secret/',
    params,
  },
  number: {
    kind: 'number',
    what: 'number webhook',
    home: '/webhooks/numbers',
    heardBy: 'NUMBER',
    list: '/v2/number/webhooks/',
    one: '/v2/number/webhooks/{name}/',
    test: '/v2/number/webhooks/{name}/test/',
    rotate: '/v2/number/webhooks/{name}/rotate-secret/',
    params,
  },
};

/** What the API calls it by: a number webhook has a name. */
export const idOf = (webhook: Webhook): string => ('name' in webhook ? webhook.name : webhook.uuid);

/** Its page in the console. */
export const hrefOf = (webhook: Webhook): string =>
  'name' in webhook ? `/webhooks/number/${webhook.name}` : `/webhooks/chat/${webhook.uuid}`;

/** What people know it by. */
export const titleOf = (webhook: Webhook): string =>
  'name' in webhook ? webhook.name : webhook.description || webhook.url.replace(/^https?:\/\//, '');

/** Everything that shows webhooks is read again. */
export const webhookPaths = ['/v2/chatapp/webhooks/', '/v2/number/webhooks/'];
