// Completion of commands and options in shells, from the tables of the arguments. The scripts do not start the program.

import { type Command, commandOptions, commands, commonOptions, pathOptions } from './arguments';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export const isShell = (word: string | undefined): word is Shell => shells.some((shell) => shell === word);

/** Words that a command takes besides its options. */
const wordsOf: Partial<Record<Command, readonly string[]>> = {
  choose: ['on', 'off'],
  publish: ['on', 'off'],
  transfers: ['pause', 'resume'],
  completion: shells,
  help: commands,
};
/** Commands whose words are paths. */
const takesPath: ReadonlySet<Command> = new Set(['restore', 'versions']);

const optionsFor = (command: Command): string[] => [...commandOptions[command], ...commonOptions].map((name) => `--${name}`);

function bash(): string {
  const cases = commands.map(
    (command) =>
      `    ${command}) words="${[...(wordsOf[command] ?? []), ...optionsFor(command)].join(' ')}"${takesPath.has(command) ? '; paths=1' : ''} ;;`,
  );
  const paths = [...pathOptions].map((name) => `--${name}`).join('|');
  return `# bash completion for carrel: source <(carrel completion bash)
_carrel() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" paths=""
  case "$previous" in ${paths}) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ -n "$paths" ] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _carrel carrel`;
}

function zsh(): string {
  const cases = commands.map((command) => {
    const words = [...(wordsOf[command] ?? []), ...optionsFor(command)].join(' ');
    return `    ${command}) compadd -- ${words}${takesPath.has(command) ? '; _files' : ''} ;;`;
  });
  const paths = [...pathOptions].map((name) => `--${name}`).join('|');
  return `#compdef carrel
# zsh completion for carrel: source <(carrel completion zsh)
_carrel() {
  case "\${words[CURRENT-1]}" in ${paths}) _files; return ;; esac
  if (( CURRENT == 2 )); then
    compadd -- ${commands.join(' ')} --help --version
    return
  fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
}
compdef _carrel carrel`;
}

function fish(): string {
  const lines = commands.flatMap((command) => {
    const here = `complete -c carrel -n '__fish_seen_subcommand_from ${command}'`;
    return [
      `complete -c carrel -n __fish_use_subcommand -a ${command}`,
      ...(wordsOf[command] ? [`${here} -a '${wordsOf[command].join(' ')}'`] : []),
      ...(takesPath.has(command) ? [`${here} -F`] : []),
      ...[...commandOptions[command], ...commonOptions].map((name) => `${here} -l ${name}${pathOptions.has(name) ? ' -r -F' : ''}`),
    ];
  });
  return `# fish completion for carrel: carrel completion fish | source
complete -c carrel -f
complete -c carrel -n __fish_use_subcommand -l help -l version
${lines.join('\n')}`;
}

const scripts: Readonly<Record<Shell, () => string>> = { bash, zsh, fish };

export const completionFor = (shell: Shell): string => scripts[shell]();
