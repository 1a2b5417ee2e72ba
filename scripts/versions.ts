/** Where the version of Parley is written down: packages, chart, and the files that name a package by its version. */
type Edit = (content: string, old: string, version: string) => string;

const first: Edit = (content, old, version) => content.replace(`"version": "${old}"`, `"version": "${version}"`);
const everyMention: Edit = (content, old, version) => content.replaceAll(old, version);

const edits: Record<string, Edit> = {
  'package.json': first,
  // Its first two versions are the project's own: that of the lockfile, and that of the root package.
  'package-lock.json': (content, old, version) => first(first(content, old, version), old, version),
  'sdk/package.json': first,
  'sdk/README.md': (content, old, version) => content.replaceAll(`parley-sdk-${old}`, `parley-sdk-${version}`),
  'sdk-python/pyproject.toml': (content, old, version) =>
    content.replace(`version = "${old}"`, `version = "${version}"`),
  'integrations/n8n/package.json': first,
  'deploy/helm/parley/Chart.yaml': everyMention,
  // An answer that the documentation shows.
  'src/api-answers.json': (content, old, version) =>
    content.replaceAll(`"version": "${old}"`, `"version": "${version}"`),
};

export const versionedFiles = Object.keys(edits);

/** The file with the new version. Throws where the old one does not stand in it: they have drifted apart. */
export function withVersion(name: string, content: string, old: string, version: string): string {
  const changed = edits[name]!(content, old, version);
  if (changed === content) throw new Error(`${name} does not have the version ${old}.`);
  return changed;
}

const numbersOf = (version: string) => version.split('.').map(Number) as [number, number, number];

/** `major`, `minor` or `patch` of the current version, or a version that is written out and comes after it. */
export function nextVersion(current: string, wanted: string): string {
  const [major, minor, patch] = numbersOf(current);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(wanted)) {
    throw new Error(`Say major, minor, patch, or a version such as 1.2.0; not "${wanted}".`);
  }
  const difference = numbersOf(wanted)
    .map((number, place) => number - numbersOf(current)[place]!)
    .find((number) => number !== 0);
  if ((difference ?? 0) <= 0) throw new Error(`${wanted} does not come after ${current}.`);
  return wanted;
}

const unreleased = /^## Unreleased\n+([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/** The changelog with what was unreleased under the new version, and those notes by themselves. */
export function releaseNotes(changelog: string, version: string, day: string): { changelog: string; notes: string } {
  const notes = unreleased.exec(changelog)?.[1]?.trim();
  if (!notes) throw new Error('CHANGELOG.md has nothing under Unreleased: there is nothing to release.');
  return {
    changelog: changelog.replace(unreleased, () => `## Unreleased\n\n## ${version} (${day})\n\n${notes}\n\n`).trimEnd(),
    notes,
  };
}
