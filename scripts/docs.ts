/**
 * Writes the documentation as a site of plain files, into `.docs/` or the directory that is named: the same pages that a server shows at
 * `/help/`, with the OpenAPI document beside them. Every link is relative, so any web server can serve it at any address.
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { apiDocument } from '../src/app.ts';
import { assets, images } from '../src/help/serve.ts';
import { buildSite } from '../src/help/site.ts';

const target = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..', '.docs'));
const api = apiDocument();
const { pages, search } = await buildSite(api as Parameters<typeof buildSite>[0]);
await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
for (const [address, html] of pages) {
  await mkdir(path.join(target, address), { recursive: true });
  await writeFile(path.join(target, address, 'index.html'), html);
}
await writeFile(path.join(target, 'search.json'), search);
await writeFile(path.join(target, 'openapi.json'), JSON.stringify(api));
await cp(assets, target, { recursive: true });
await cp(images, path.join(target, 'images'), { recursive: true });
console.log(`${pages.size} pages in ${path.relative(process.cwd(), target) || '.'}`);
