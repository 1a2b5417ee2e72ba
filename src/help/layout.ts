import { escaped, type Rendered } from './render.ts';

interface Menu {
  title: string;
  entries: { address: string; title: string }[];
}
interface PageOptions {
  address: string;
  section: string;
  rendered: Rendered;
  menu: Menu[];
}

/** A page of the help: menu, text, and what is on this page. Everything it loads stands beside it. */
export function layout({ address, section, rendered, menu }: PageOptions): string {
  const root = rootOf(address);
  const title = address === '' ? 'Parley help' : `${rendered.title} · Parley help`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${root}help.css">
    <script src="${root}help.js" type="module"></script>
  </head>
  <body data-root="${root}">
    <a class="skip" href="#text">Skip to the text</a>
    <header>
      <button class="menu-button" type="button" aria-expanded="false" aria-controls="menu">Menu</button>
      <a class="name" href="${root || './'}">Parley <span>help</span></a>
      <div class="search" role="search">
        <input id="search" type="search" placeholder="Search ( / )" aria-label="Search the help" autocomplete="off">
        <ol id="found" hidden></ol>
      </div>
    </header>
    <div class="columns">
      <nav id="menu" aria-label="Contents">
${menu.map((one) => menuSection(one, { address, section, root })).join('\n')}
      </nav>
      <main id="text">
${rendered.html}
${neighbours(menu, address, root)}
      </main>
      ${onThisPage(rendered)}
    </div>
  </body>
</html>
`;
}

function menuSection({ title, entries }: Menu, here: { address: string; section: string; root: string }): string {
  const items = entries.map(({ address, title: name }) => {
    const current = address === here.address ? ' aria-current="page"' : '';
    return `<li><a class="entry" href="${here.root}${address}"${current}>${escaped(name.replace(/^API: /, ''))}</a></li>`;
  });
  const isOpen = title === here.section || (here.section === '' && title === 'Start here');
  return `<details${isOpen ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${items.join('')}</ul></details>`;
}

/** What comes before and after, in reading order. */
function neighbours(menu: Menu[], address: string, root: string): string {
  const all = menu.flatMap(({ entries }) => entries);
  const index = all.findIndex((entry) => entry.address === address);
  const link = (entry: (typeof all)[number] | undefined, rel: string, label: string): string =>
    entry
      ? `<a class="next" rel="${rel}" href="${root}${entry.address}"><small>${label}</small>${escaped(entry.title)}</a>`
      : '<i></i>';
  if (index < 0) return '';
  return `<footer>${link(all[index - 1], 'prev', 'Previous')}${link(all[index + 1], 'next', 'Next')}</footer>`;
}

function onThisPage({ headings }: Rendered): string {
  const shown = headings.filter(({ depth }) => depth === 2);
  if (shown.length < 2) return '';
  const items = shown.map(({ text, anchor }) => `<li><a class="entry" href="#${anchor}">${escaped(text)}</a></li>`);
  return `<aside aria-label="On this page"><p class="here">On this page</p><ul>${items.join('')}</ul></aside>`;
}

/** The way from a page to the root of the site. */
export const rootOf = (address: string): string => '../'.repeat(address.split('/').length - 1);
