import type { Deps } from '../../../deps.ts';
import { originOf } from '../../../platform/config.ts';
import { createLinks } from '../../links/index.ts';
import type { Content } from './compose.ts';

/** A message that is about to be sent. */
interface Draft {
  uuid: string;
  content: Content;
}

const address = /https?:\/\/[^\s<>"]+/gi;
/** Marks that end a sentence are not part of an address. */
const trailing = /[.,;:!?'’)\]}]+$/;
/** Nobody writes more addresses than this into one message; any further ones stay as they are. */
const mostAddresses = 10;
const longestAddress = 2048;
/** The longest address that is stored. Encoding may make nine characters of one; browsers do not follow longer ones. */
const longestStored = 8192;

/**
 * Replaces the addresses in the texts of messages by links of this server, one for each message and address, so that it is
 * known which of them were opened.
 */
export async function trackLinks(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  accountId: string,
  campaignLog: string,
  drafts: Draft[],
): Promise<void> {
  const found = drafts.map((draft) => ({ draft, urls: [...new Set(textsOf(draft.content).flatMap(addressesIn))] }));
  const links = found.flatMap(({ draft, urls }) =>
    urls.slice(0, mostAddresses).map((url) => ({
      kind: 'CAMPAIGN' as const,
      campaignLog,
      message: draft.uuid,
      // As it will be sent to browsers.
      url: new URL(url).href,
    })),
  );
  if (links.length === 0) return;
  const codes = await createLinks(db, accountId, links);
  const origin = originOf(config);
  let next = 0;
  for (const { draft, urls } of found) {
    const short = new Map(urls.slice(0, mostAddresses).map((url) => [url, `${origin}/l/${codes[next++]}`]));
    draft.content = withLinks(draft.content, short);
  }
}

const textsOf = (content: Content): string[] =>
  'text' in content ? [content.text] : content.template.components.flatMap(bodyTexts);

interface Component {
  type?: string;
  parameters?: { type?: string; text?: string }[];
}

const bodyTexts = (component: Component): string[] =>
  component.type === 'body' ? (component.parameters ?? []).flatMap(({ text }) => text ?? []) : [];

const addressesIn = (text: string): string[] =>
  [...text.matchAll(address)]
    .map(([match]) => match.replace(trailing, ''))
    .filter((url) => url.length <= longestAddress && (URL.parse(url)?.href.length ?? Infinity) <= longestStored);

function withLinks(content: Content, short: ReadonlyMap<string, string>): Content {
  const replaced = (text: string): string =>
    text.replaceAll(address, (match) => {
      const url = match.replace(trailing, '');
      return (short.get(url) ?? url) + match.slice(url.length);
    });
  if ('text' in content) return { text: replaced(content.text) };
  const components = content.template.components.map((component: Component) =>
    component.type !== 'body' || !component.parameters
      ? component
      : {
          ...component,
          parameters: component.parameters.map((parameter) =>
            parameter.text === undefined ? parameter : { ...parameter, text: replaced(parameter.text) },
          ),
        },
  );
  return { template: { ...content.template, components } };
}
