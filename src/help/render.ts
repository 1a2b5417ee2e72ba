import { Marked, type Tokens } from 'marked';

/** A document as HTML, with what the page around it and the search need. */
export interface Rendered {
  title: string;
  html: string;
  headings: { depth: number; text: string; anchor: string }[];
  /** Its text, heading by heading. */
  passages: { heading: string; anchor: string; text: string }[];
}

/** Where a link of a document leads on the site; undefined: to nothing that is part of it. */
export type LinkOf = (href: string) => string | undefined;

export function render(markdown: string, linkOf: LinkOf): Rendered {
  const anchors = makeAnchors();
  const headings: Rendered['headings'] = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = plain(this.parser.parseInline(tokens, this.parser.textRenderer));
        const anchor = anchors(text);
        headings.push({ depth, text, anchor });
        const html = this.parser.parseInline(tokens);
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${anchor}">${html}${link}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const html = this.parser.parseInline(tokens);
        if (/^(https?|mailto):/.test(href)) return `<a href="${escaped(href)}" rel="noreferrer">${html}</a>`;
        const place = linkOf(href);
        return place === undefined ? html : `<a href="${escaped(place)}">${html}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escaped(linkOf(href) ?? href)}" alt="${escaped(text)}" loading="lazy">`;
      },
      table(token: Tokens.Table) {
        const cell = (name: string, { tokens }: Tokens.TableCell) =>
          `<${name}>${this.parser.parseInline(tokens)}</${name}>`;
        const head = token.header.map((one) => cell('th', one)).join('');
        const rows = token.rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`).join('\n');
        // A wide table scrolls by itself, also by keyboard.
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${rows}</tbody></table></div>\n`;
      },
      code({ text, lang }: Tokens.Code) {
        const language = /^\w+/.exec(lang ?? '')?.[0] ?? '';
        return `<pre tabindex="0"${language && ` data-language="${language}"`}><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  const title = headings.find(({ depth }) => depth === 1)?.text ?? '';
  return { title, html, headings: headings.filter(({ depth }) => depth > 1), passages: passagesOf(html, title) };
}

/** As GitHub names headings, because documents link to them so: small letters, no punctuation, dashes for spaces. */
function makeAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}

function passagesOf(html: string, title: string): Rendered['passages'] {
  const [first = '', ...rest] = html.split(/(?=<h[23] id=")/);
  const sections = rest.map((section) => {
    const [, anchor = '', heading = ''] = /^<h[23] id="([^"]*)">(.*?)<\/h[23]>/s.exec(section) ?? [];
    return { heading: plain(heading.replace(/ <a class="anchor".*$/, '')), anchor, html: section };
  });
  return [{ heading: title, anchor: '', html: first }, ...sections].map(({ heading, anchor, html: part }) => {
    const body = plain(part.replace(/^<h\d.*?<\/h\d>/s, ''));
    return { heading, anchor, text: body };
  });
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What is left of HTML for somebody who reads words. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)
    .replaceAll(/\s+/g, ' ')
    .trim();

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
