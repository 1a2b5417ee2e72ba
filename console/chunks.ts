/**
 * Which files the console is built into: few, and a page loads little that it does not use. A file that many pages share must not
 * import one that few need, or all of them load it. Without groups the bundler makes a file for every set of pages that share
 * something, and a page loads dozens. `test/peers/console/weight.test.ts` weighs the result.
 */

/** Our modules only define things, so that whoever imports one thing from an index does not load all that it names. */
export const moduleSideEffects = [
  { test: /\.css$|\/(nonce|main)\.tsx?$/, sideEffects: true },
  { test: /console\/src\//, sideEffects: false },
];

interface Group {
  name: string;
  /** Regular expressions of paths; one of them has to be in the path of a module. */
  holds: string[];
  /** And none of these. */
  but?: string[];
  /** How many pages must share a module; what fewer need stays with them. Default: it does not matter. */
  sharedBy?: number;
  /** Leaves what its modules import to the groups below; only for what imports nothing of them. */
  alone?: boolean;
}

const mantine = (...names: string[]): string => `@mantine/core/esm/components/(${names.join('|')})/`;
const parts = (...names: string[]): string => `console/src/parts/(${names.join('|')})`;
const areas = (...names: string[]): string => `console/src/areas/(${names.join('|')})`;

/** Components of Mantine that few pages have. */
const rare = mantine('Chip', 'FileInput', 'NavLink', 'Radio/(?!RadioIcon)', 'PasswordInput');
const pills = mantine('MultiSelect', 'TagsInput', 'Pill', 'PillsInput');

/** The first that holds a module has it. */
const inOrder: Group[] = [
  // Of the packages: what forms alone have, fields that few of them have, and what nearly every page has.
  {
    name: 'forms',
    holds: [
      '@mantine/form',
      'node_modules/klona',
      'node_modules/fast-deep-equal',
      parts('editing/', 'actions/(api-form|type-to-confirm|open-dialog)'),
    ],
    alone: true,
  },
  { name: 'rare-fields', holds: [rare, parts('actions/secret-input')], alone: true },
  { name: 'number-input', holds: ['node_modules/react-number-format', mantine('NumberInput')], alone: true },
  {
    name: 'pills',
    holds: [pills, 'Combobox/use-pills-reorder', parts('fields/list-field')],
    but: ['context'],
    alone: true,
  },
  {
    name: 'vendor',
    holds: ['node_modules/'],
    but: [
      '\\.css$',
      '@tabler/',
      'node_modules/(qr|libphonenumber-js|@dnd-kit|@simplewebauthn|react-transition-group)/',
      '@mantine/notifications',
      '@tanstack/(react-)?virtual',
      mantine('ColorSwatch', 'Fieldset', 'Indicator'),
    ],
    alone: true,
  },
  // Those of a single page stay with it.
  { name: 'icons', holds: ['@tabler/'], sharedBy: 2, alone: true },

  // What every page has: the frame, all styles but those of the phone simulator, and small things that many pages share.
  {
    name: 'base',
    holds: [
      '\\.css$',
      'console/src/(app|main)\\.tsx',
      parts(
        'facts/',
        'page/',
        'loading/',
        'live/',
        'names/',
        '(account|day|index|locale|may|words)\\.tsx?$',
        'actions/(download-button|save-file|new-link|remove-button|more-menu)',
        'table/(row-buttons|csv-button)',
        'chart/(stat|scale)',
        'fields/(number-select|language|country|use-all-lists|number-values)',
        'hours/(days|time-zone-select|local-time)',
        'range/span',
        'intros/funnel',
        'messages/(sync-button|use-senders|types)',
        'campaigns/(steps|zoned|use-polling)',
        'opt-outs/',
        'audio/(sound|use-playback)',
        'jobs/(words|use-job)',
        'webhooks/(kinds|use-webhooks)',
      ),
      areas(
        '(flows|leads|reports|templates|settings/.*)/words',
        'campaigns/(wizard/shares|launch/outcome-bar)',
        'media/size',
        'intros/editor/reply-types',
        'settings/(settings-page|countries|link-state|language-select|chat-accounts/queue|.*/use-)',
      ),
    ],
    but: ['areas/phone/.*\\.css$'],
  },
  { name: 'table', holds: ['@tanstack/(react-)?virtual', parts('table/', 'view/', 'selection/')] },

  // What the pages of a kind share.
  {
    name: 'bubble',
    holds: [
      parts(
        'bubble/',
        'messages/message-bubble',
        'writing/template-bubble',
        '(writing|messages|flows)/.*\\.ts$',
        'intros/name',
      ),
    ],
    but: ['messages/(draft|send|special-components)\\.ts'],
    sharedBy: 2,
  },
  { name: 'chart', holds: [parts('chart/', 'range/')], sharedBy: 2 },
  { name: 'writing', holds: [parts('writing/(?!media-select)')], sharedBy: 2 },
  { name: 'drafts', holds: [parts('messages/')], sharedBy: 2 },
  { name: 'audio', holds: [parts('audio/')], sharedBy: 2 },
  { name: 'hours', holds: [parts('hours/')], sharedBy: 2 },
  { name: 'webhooks', holds: [parts('webhooks/'), areas('webhooks/', 'deliveries/')], sharedBy: 2 },
  { name: 'flows', holds: [parts('flows/'), areas('flows/try-flow')], sharedBy: 2 },
  { name: 'flow-editor', holds: [areas('flows/')], sharedBy: 2 },
  { name: 'campaigns', holds: [areas('campaigns/(?!launch/(?!use-launch))')], sharedBy: 2 },
  { name: 'launch', holds: [areas('campaigns/launch/')], sharedBy: 2 },
  { name: 'log-story', holds: [parts('intros/log-story')], sharedBy: 2 },
  { name: 'intros', holds: [parts('intros/'), areas('intros/')], sharedBy: 2 },
  { name: 'routing', holds: [areas('routing/.*\\.ts$')], sharedBy: 2 },
  { name: 'links', holds: [areas('settings/(link-page|sip-trunks|sms-links)')], sharedBy: 2 },
  { name: 'scopes', holds: [areas('settings/(scopes|roles|users)')], sharedBy: 2 },
  { name: 'chat-accounts', holds: [areas('settings/chat-accounts')], sharedBy: 2 },
  { name: 'tenants', holds: [areas('settings/tenants')], sharedBy: 2 },
  { name: 'phone', holds: [areas('phone/.*\\.css$', 'phone/(frame/(clock|status-bar|screen-head|sheet)|moments)')] },
];

const anyOf = (patterns: string[]): string => `(?:${patterns.join('|')})`;

export const groups = inOrder.map(({ name, holds, but, sharedBy, alone }, index) => ({
  name,
  test: new RegExp(but ? `^(?!.*${anyOf(but)}).*${anyOf(holds)}` : anyOf(holds)),
  priority: inOrder.length - index,
  ...(sharedBy !== undefined && { minShareCount: sharedBy }),
  ...(alone && { includeDependenciesRecursively: false }),
}));
