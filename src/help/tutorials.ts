/**
 * Tutorials are the scripts in `examples/`, which the tests run: the comment at the top is a title and what happens, each announced step
 * becomes a section, and the commands stay as they are.
 */
export function tutorialOf(script: string, file: string): string {
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
