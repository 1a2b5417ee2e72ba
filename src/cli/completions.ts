/** Completions for shells, made from the commands themselves: what is in the program is completed, and nothing else. */
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Node {
  /** The words that lead to it, without the program's own name. */
  path: string[];
  words: { word: string; description: string }[];
}

/** Every command with what may follow it: its commands and its options. */
function nodesOf(command: Command, path: string[] = []): Node[] {
  const commands = command.commands.map((one) => ({ word: one.name(), description: one.description() }));
  const options = command.options.map((one) => ({ word: one.long ?? one.short ?? '', description: one.description }));
  const help = { word: '--help', description: 'show how it is used' };
  const own: Node = { path, words: [...commands, ...options, help].filter(({ word }) => word !== '') };
  return [own, ...command.commands.flatMap((one) => nodesOf(one, [...path, one.name()]))];
}

export function completionsFor(program: Command, shell: Shell): string {
  const nodes = nodesOf(program);
  return { bash, zsh, fish }[shell](nodes);
}

const wordsOf = ({ words }: Node): string => words.map(({ word }) => word).join(' ');

/** The words so far, options left out, are the path; files where nothing else fits. */
const bash = (
  nodes: Node[],
): string => `# bash completion of parley: source it, or put it into /etc/bash_completion.d/parley
_parley() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word next words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    next=\${path:+$path }$word
    case $next in
${nodes
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      '${path.join(' ')}') path=$next ;;`)
  .join('\n')}
    esac
  done
  case $path in
${nodes.map((node) => `    '${node.path.join(' ')}') words='${wordsOf(node)}' ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _parley parley
`;

const zsh = (nodes: Node[]): string => `#compdef parley
# zsh completion of parley: put it into a directory of $fpath as _parley
_parley() {
  local path_so_far='' word next
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    next="\${path_so_far:+$path_so_far }$word"
    case $next in
${nodes
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      '${path.join(' ')}') path_so_far=$next ;;`)
  .join('\n')}
    esac
  done
  case $path_so_far in
${nodes
  .map(
    ({ path, words }) =>
      `    '${path.join(' ')}') choices=(${words.map(({ word, description }) => quoted(`${word}:${description}`)).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe 'parley' choices || _files
}
if [[ $funcstack[1] == _parley ]]; then _parley "$@"; else compdef _parley parley; fi
`;

const fish = (nodes: Node[]): string => {
  const lines = nodes.flatMap(({ path, words }) => {
    const deeper = nodes.filter(
      (node) => node.path.length === path.length + 1 && path.every((word, at) => node.path[at] === word),
    );
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const unseen =
      deeper.length > 0 ? [`not __fish_seen_subcommand_from ${deeper.map((node) => node.path.at(-1)).join(' ')}`] : [];
    const condition = [...seen, ...unseen].join('; and ') || 'true';
    return words.map(({ word, description }) => {
      const choice = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c parley -n '${condition}' ${choice} -d ${quoted(description)}`;
    });
  });
  return `# fish completion of parley: put it into ~/.config/fish/completions/parley.fish\n${lines.join('\n')}\n`;
};

const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
