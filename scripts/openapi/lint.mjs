// Lints the OpenAPI document with Spectral: all its rules for OpenAPI, without those that say no to what the house has decided.
import { readFileSync } from 'node:fs';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const rules = {
  // Who runs the server is not known here.
  'info-contact': 'off',
  // The licence is named by its SPDX identifier, which OpenAPI 3.1 has in place of an address.
  'license-url': 'off',
  // Groups stand in the order in which a reader needs them.
  'openapi-tags-alphabetical': 'off',
  // Addresses end in a slash; both forms are served.
  'path-keys-no-trailing-slash': 'off',
  // `WebhookEvent`, the union of all events, is there for clients.
  'oas3-unused-component': 'off',
  // Redocly and our own tests check these, in a tenth of the time.
  'oas3-valid-media-example': 'off',
};

const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, 'all']], rules });
const found = await linter.run(JSON.parse(readFileSync(process.argv[2], 'utf8')));
/** A template has fields called `example`; Spectral takes those of an example for examples of a schema. */
const isField = (path) => path.includes('example', path.indexOf('example') + 1);
const findings = found.filter(({ code, path }) => code !== 'oas3-valid-schema-example' || !isField(path));
for (const { code, path, message } of findings.slice(0, 50)) console.log(`${code}: ${path.join('/')}: ${message}`);
if (findings.length > 0) console.log(`Spectral finds ${findings.length} faults.`);
process.exitCode = findings.length > 0 ? 1 : 0;
