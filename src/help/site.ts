import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sections } from './contents.ts';
import { layout, rootOf } from './layout.ts';
import { type ApiDocument, referenceOf } from './reference.ts';
import { type LinkOf, type Rendered, render } from './render.ts';

/** The help: what is served at `/help/`, and what `npm run docs` writes as files. Addresses are relative to it: it may be put anywhere. */
export interface Site {
  /** HTML by address: '' is the front page, `messages/` a page. */
  pages: ReadonlyMap<string, string>;
  /** What the search looks in: page, heading, anchor, text. */
  search: string;
}

/** A document before it is rendered: where it comes from decides what its links mean. */
interface Source {
  /** Relative to the checkout; made-up for what is made from something else. */
  file: string;
  address: string;
  section: string;
  markdown: string;
}

const checkout = path.join(import.meta.dirname, '..', '..');

export async function buildSite(api: ApiDocument, root = checkout): Promise<Site> {
  const sources = await sourcesOf(api, root);
  const addresses = new Map(sources.map(({ file, address }) => [file, address]));
  const documents = sources.map((source) => ({
    ...source,
    rendered: render(source.markdown, linksOf(source, addresses)),
  }));
  const menu = sections.map(({ title }) => ({
    title,
    entries: documents
      .filter(({ section }) => section === title)
      .map(({ address, rendered }) => ({ address, title: rendered.title })),
  }));
  const pages = documents.map(
    ({ address, section, rendered }) => [address, layout({ address, section, rendered, menu })] as const,
  );
  return { pages: new Map(pages), search: JSON.stringify(documents.flatMap(searchEntries)) };
}

async function sourcesOf(api: ApiDocument, root: string): Promise<Source[]> {
  const read = (file: string) => readFile(path.join(root, file), 'utf8');
  const fromDocs = async (name: string, section: string): Promise<Source> => {
    const file = `docs/${name}.md`;
    return { file, address: addressOf(name), section, markdown: await read(file) };
  };
  const sources = [await fromDocs('README', '')];
  for (const { title, documents } of sections) {
    for (const name of await namesOf(documents, root)) sources.push(await fromDocs(name, title));
    if (title === 'Tutorials') {
      for (const file of await sorted(root, 'examples/*.sh')) {
        const name = path.basename(file, '.sh');
        const markdown = tutorialOf(await read(file), file);
        sources.push({ file, address: `tutorials/${name}/`, section: title, markdown });
      }
    }
    if (title === 'API reference') {
      for (const { name, markdown } of referenceOf(api)) {
        sources.push({ file: `reference/${name}`, address: `reference/${name}/`, section: title, markdown });
      }
    }
  }
  return sources;
}

async function namesOf(documents: string[], root: string): Promise<string[]> {
  const names = await Promise.all(
    documents.map(async (name) =>
      name.endsWith('/*') ? (await sorted(root, `docs/${name}.md`)).map((file) => file.slice(5, -3)) : [name],
    ),
  );
  return names.flat();
}

const sorted = async (root: string, pattern: string): Promise<string[]> =>
  (await Array.fromAsync(glob(pattern, { cwd: root }))).sort();

const addressOf = (name: string): string => name.replace(/(^|\/)README$/, '$1').replace(/([^/])$/, '$1/');

function linksOf({ file, address }: Source, addresses: ReadonlyMap<string, string>): LinkOf {
  return (href) => {
    const [place = '', anchor] = href.split('#');
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (place === '') return hash;
    const target = path.posix.join(path.posix.dirname(file), place).replace(/\/$/, '');
    if (target.startsWith('docs/images/')) return `${rootOf(address)}${target.slice('docs/'.length)}`;
    const found = addresses.get(target) ?? addresses.get(`${target}/README.md`);
    if (found !== undefined) return `${rootOf(address)}${found}${hash}` || './';
    // The README of the project is what the front page says.
    return target === 'README.md' ? rootOf(address) || './' : undefined;
  };
}

const searchEntries = ({ address, rendered }: { address: string; rendered: Rendered }): string[][] =>
  rendered.passages.map(({ heading, anchor, text }) => [address, rendered.title, heading, anchor, text]);

/**
 * Tutorials are the scripts in `examples/`, which the tests run: the comment at the top is a title and what happens, each announced step
 * becomes a section, and the commands stay as they are.
 */
function tutorialOf(script: string, file: string): string {
  const lines = script.split('\n');
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const [title = '', ...about] = lines.slice(1, start).map((line) => line.slice(2));
  const [setUp, ...steps] = splitSteps(lines.slice(start));
  return [
    `# ${title}`,
    about.join('\n'),
    `Run all of it against a server on this machine with \`sh ${file}\`. \`PARLEY_URL\` and \`PARLEY_TOKEN\` name another server.`,
    '## Set up',
    block(setUp!.commands),
    ...steps.flatMap((step) => [`## ${step.title}`, block(step.commands)]),
  ].join('\n\n');
}

function splitSteps(lines: string[]): { title: string; commands: string[] }[] {
  const steps = [{ title: '', commands: [] as string[] }];
  for (const line of lines) {
    const [, , title] = /^(echo '== |say ['"])(.*)['"]$/.exec(line) ?? [];
    if (title === undefined) steps.at(-1)!.commands.push(line);
    else steps.push({ title, commands: [] });
  }
  return steps;
}

const block = (commands: string[]): string => `\`\`\`sh\n${commands.join('\n').trim()}\n\`\`\``;
