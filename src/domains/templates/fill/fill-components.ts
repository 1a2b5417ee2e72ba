import { type Filler, link, oneLine, optionalUpTo, type Plan, upTo } from '../../../platform/text/fill.ts';

const file = { url: link, link };
/** The parameters of a component; what differs is what a `text` is. */
const planWith = (text: Plan): Plan => ({
  parameters: [
    {
      text,
      currency: { fallback_value: text },
      date_time: { fallback_value: text },
      image: file,
      video: file,
      document: { ...file, filename: optionalUpTo(240) },
      location: { name: upTo(1000), address: upTo(1000) },
    },
  ] as const,
});
const body = planWith(oneLine(1024));
const header = planWith(oneLine(60));
/** The end of an address: escaped as one, and never cut. */
const button = planWith((text) => link(text) || '-');

/** The components of a template message as they are stored, with their placeholders filled as the platform wants them. */
export const fillComponents = (components: readonly object[], filler: Filler): object[] =>
  components.map((component) => fillComponent(component, filler));

function fillComponent(component: object, filler: Filler): object {
  const { type, cards } = component as { type: string; cards?: { components: object[] }[] };
  if (cards) {
    return {
      ...component,
      cards: cards.map((card) => ({ ...card, components: fillComponents(card.components, filler) })),
    };
  }
  const plan = type === 'header' ? header : type === 'button' ? button : body;
  return filler.fill(component, plan) as object;
}
