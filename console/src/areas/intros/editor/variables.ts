import type { KnownName } from '../../../parts/bubble/index.ts';
import type { IntroForm } from '../../../parts/intros/form.ts';

/** Stands for a code that is not known yet. */
export const sampleCode = 'k7m2q9xw4t';

/** The names that placeholders may have, those of the intro first; of two with one name the first counts. */
export function knownNames(form: IntroForm, origin: string, shortcode = sampleCode): KnownName[] {
  const own = form.variables.filter(({ name }) => name !== '');
  const direct = form.intro_bparty_number !== '';
  const names: KnownName[] = [
    ...own
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => ({ name, value, from: 'Variable of this intro' })),
    { name: 'APartyDataContactName', value: 'Sam Taylor', sample: true, from: "The lead's name" },
    { name: 'APartyDataContactPhonenumber', value: '+447700900123', sample: true, from: "The lead's number" },
    ...(form.reference_id ? [{ name: 'reference_id', value: form.reference_id, from: 'The reference' }] : []),
    {
      name: 'chat_link',
      value: `${origin}/l/${shortcode}`,
      sample: shortcode === sampleCode,
      from: 'The link of this intro',
    },
    { name: 'intro_chat_link', value: `${origin}/l/${sampleCode}`, sample: true, from: "The agent's link to the lead" },
    {
      name: 'intro_chat_shortcode',
      value: sampleCode,
      sample: true,
      from: "The code of the agent's link, for URL buttons",
    },
    ...(direct
      ? [
          {
            name: 'intro_chat_link_aparty',
            value: `${origin}/l/${sampleCode}`,
            sample: true,
            from: "The lead's link to the agent",
          },
          {
            name: 'intro_chat_link_aparty_shortcode',
            value: sampleCode,
            sample: true,
            from: "The code of the lead's link",
          },
        ]
      : []),
    ...own
      .filter(({ value }) => value === '')
      .map(({ name }) => ({ name, value: undefined, from: 'Filled by an answer' })),
    ...answerNames(form),
  ];
  return names.filter(({ name }, index) => names.findIndex((one) => one.name === name) === index);
}

/** What buttons and lists leave behind when they are used. */
function answerNames({ reply_type, reply_data, alternative, reply_alt }: IntroForm): KnownName[] {
  const kinds = [
    ...(['INTERACTIVE', 'QUICK_REPLY', 'LIST'].includes(reply_type) ? [reply_data.type] : []),
    ...(alternative ? [reply_alt.chatapp_components.type] : []),
  ];
  const of = (kind: string, from: string): KnownName[] =>
    [`${kind}_title`, `${kind}_id`].map((name) => ({ name, value: undefined, from }));
  return [
    ...(kinds.includes('button') ? of('button', 'The button that the lead taps') : []),
    ...(kinds.includes('list') ? of('list', 'The row that the lead picks') : []),
  ];
}
