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

/** Takes what it names and leaves what that imports to the groups below; only for what imports nothing of them. */
const alone = { includeDependenciesRecursively: false };
export const groups = [
  // Of the packages: what forms alone have, what lists alone have, what hardly any page has, and the rest.
  {
    name: 'forms',
    test: /@mantine\/form|klona|fast-deep-equal|parts\/(editing|actions\/(api-form|type-to-confirm|open-dialog))/,
    priority: 90,
    ...alone,
  },
  { name: 'radio', test: /components\/(Radio\/(?!RadioIcon)|Chip\/|FileInput\/|NavLink\/)/, priority: 90, ...alone },
  { name: 'number-input', test: /react-number-format|components\/NumberInput\//, priority: 90, ...alone },
  {
    name: 'pills',
    test: /components\/(MultiSelect|TagsInput|Pill|PillsInput)\/(?!.*context)|use-pills-reorder|fields\/list-field/,
    priority: 90,
    ...alone,
  },
  {
    name: 'vendor',
    test: /node_modules\/(?!.*\.css$|qr\/|libphonenumber|@dnd-kit|@simplewebauthn|@mantine\/notifications|react-transition-group|@tanstack\/(react-)?virtual|@mantine\/core\/esm\/components\/(Avatar|Chip|ColorSwatch|Fieldset|FileInput|Indicator|NavLink|Radio)\/(?!RadioIcon))/,
    priority: 80,
    ...alone,
  },
  // Of our own: what every page has, with all styles but those of the phone simulator; then what several pages share.
  {
    name: 'base',
    test: /(?<!phone.*)\.css$|console\/src\/(app|main)\.tsx|parts\/(facts\/(time|copy|status|phone|facts|json|story|two-lines)|page\/(section|loaded|narrow|link-tabs)|locale|words|day|actions\/(download-button|save-file|new-link|remove-button|more-menu|secret-input)|table\/(row-buttons|csv-button)|loading\/.*)\.tsx?/,
    priority: 60,
  },
  { name: 'table', test: /@tanstack\/(react-)?virtual|parts\/(table|view|selection)\//, priority: 50 },
  {
    name: 'bubble',
    test: /parts\/(bubble\/|messages\/message-bubble|writing\/template-bubble|(writing|messages|flows|intros)\/(?!form|chain-form|log-story|funnel).*\.ts$)/,
    minShareCount: 3,
    priority: 45,
  },
  { name: 'funnel', test: /parts\/intros\/(funnel|log-story)/, minShareCount: 2, priority: 44 },
  {
    name: 'parts',
    test: /parts\/((?!writing|messages|flows|intros).*\.ts$|names\/|chart\/stat|page\/|live\/|fields\/(number-select|language-select)|hours\/time-zone|campaigns\/|facts\/|messages\/sync)|areas\/settings\/(settings-page|countries|words|link-state|.*use-)/,
    minShareCount: 3,
    priority: 40,
  },
  { name: 'webhooks', test: /parts\/webhooks\//, minShareCount: 2, priority: 39 },
  { name: 'chart', test: /parts\/(chart|range)\//, minShareCount: 2, priority: 30 },
  { name: 'writing', test: /parts\/(writing\/(?!media-select)|messages\/)/, minShareCount: 2, priority: 20 },
  { name: 'audio', test: /parts\/audio\//, minShareCount: 2, priority: 20 },
  { name: 'hours', test: /parts\/hours\//, minShareCount: 2, priority: 20 },
  {
    name: 'links',
    test: /areas\/settings\/(link-page|(sip-trunks|sms-links)\/(?!use-|state))/,
    minShareCount: 2,
    priority: 10,
  },
  { name: 'scopes', test: /areas\/settings\/(scopes|roles|users)/, minShareCount: 2, priority: 10 },
  {
    name: 'campaigns',
    test: /areas\/campaigns\/(?!launch\/(?!use-launch|outcome-bar))/,
    minShareCount: 2,
    priority: 13,
  },
  { name: 'launch', test: /areas\/campaigns\/launch\//, minShareCount: 2, priority: 12 },
  { name: 'intros', test: /areas\/intros\/editor\/(?!.*reply-types)/, minShareCount: 2, priority: 10 },
  { name: 'routing', test: /areas\/routing\/.*\.ts$/, minShareCount: 2, priority: 10 },
];
