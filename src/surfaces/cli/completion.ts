import type { RegistryEntry } from '../../operations/registry.ts'
import { flagsOf } from './flags.ts'
import { meaningOf } from './shorthands.ts'

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_ken() { local IFS=$'\\n'; COMPREPLY=($(compgen -W "$(ken __complete "\${COMP_WORDS[@]:1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}")); }
complete -F _ken ken`,
  zsh: `#compdef ken
_ken() { local -a words_; words_=("\${(@f)$(ken __complete "\${words[@]:1}" 2>/dev/null)}"); compadd -a words_; }
compdef _ken ken`,
  fish: `complete -c ken -f -a '(ken __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}

export const COMPLETION_HELP = `Usage: ken completion <bash|zsh|fish>

Prints what makes the Tab key complete commands, options and their values. To have it in every shell:

  bash  ken completion bash >> ~/.bashrc
  zsh   ken completion zsh > "\${fpath[1]}/_ken"
  fish  ken completion fish > ~/.config/fish/completions/ken.fish`

export const completionScript = (shell: string): string | undefined => SCRIPTS[shell]

/** Completions for the last word of a line. */
export async function completeWords(
  registry: readonly RegistryEntry[],
  others: readonly string[],
  words: readonly string[],
): Promise<string[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const commands = [...registry.flatMap(({ command }) => command), ...others].map((command) => command.split(' '))
  const meant = before[0] === undefined ? undefined : meaningOf(before[0], before.slice(1))?.operation
  const chosen = await registry
    .find((entry) => entry.name === meant || entry.command.some((command) => startsWith(before, command.split(' '))))
    ?.load()
  const next = commands
    .filter((command) => command.length > before.length && startsWith(command, before))
    .map((command) => command[before.length]!)
  if (chosen !== undefined && typed.startsWith('-'))
    next.push(...flagsOf(chosen).map((flag) => `--${flag.name}`), '--json', '--help')
  const flag = chosen === undefined ? undefined : flagsOf(chosen).find((f) => `--${f.name}` === before.at(-1))
  return [...new Set([...next, ...(flag?.choices ?? [])])].filter((word) => word.startsWith(typed)).sort()
}

const startsWith = (words: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((word, i) => words[i] === word)
