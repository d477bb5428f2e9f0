import { closeMatch } from '../../kernel/domain/close-match.ts'

export type AskCommand =
  | { readonly kind: 'quit' | 'help' | 'new' | 'sql' | 'chats' }
  | { readonly kind: 'model'; readonly name: string | undefined }
  | { readonly kind: 'chart'; readonly path: string }
  | { readonly kind: 'vote'; readonly vote: 'up' | 'down'; readonly reason: string | undefined }
  | { readonly kind: 'chat'; readonly id: string }
  | { readonly kind: 'unknown'; readonly problem: string }

const COMMANDS: readonly (readonly [words: string, help: string])[] = [
  ['/new', 'a new chat'],
  ['/chats', 'the chats of this project'],
  ['/chat <id>', 'go on with another chat'],
  ['/model [name]', 'another model, e.g. ollama:qwen3 or agent:codex; none: as the settings say'],
  ['/sql', 'the last SQL that was run'],
  ['/chart <file>', 'write the last chart to a .png or .svg'],
  ['/up [reason]', 'the last answer was good'],
  ['/down <reason>', 'it was not, and why: makes a draft for a test and a rule'],
  ['/help', 'this'],
  ['/quit', 'leave; Ctrl-D does too'],
]

export const ASK_COMMANDS: readonly string[] = COMMANDS.map(([words]) => words.split(' ')[0]!)

export const ASK_PROMPT_HELP = [
  ...COMMANDS.map(([words, help]) => `  ${words.padEnd(16)}${help}`),
  '  @name puts a table, story or document before the analyst, /name a skill; Tab completes both.',
  '  A number chooses what was offered. A line that ends in \\ goes on; Alt-Return does too.',
  '  Ctrl-C stops an answer; at the prompt it leaves when pressed twice.',
].join('\n')

/** The command on a line; undefined for a question, including one that begins with a skill. */
export function readAskCommand(line: string, skills: readonly string[]): AskCommand | undefined {
  const text = line.trim()
  if (/^(?:quit|exit)$/i.test(text)) return { kind: 'quit' }
  if (/^help$/i.test(text)) return { kind: 'help' }
  const [, name, rest = ''] = /^\/([\p{L}\p{N}_?-]+)(?:\s+([\s\S]*))?$/u.exec(text) ?? []
  if (name === undefined) return undefined
  const given = rest.trim()
  const needs = (what: string): AskCommand => ({ kind: 'unknown', problem: `/${name} needs ${what}.` })
  switch (name.toLowerCase()) {
    case 'q':
    case 'quit':
    case 'exit':
      return { kind: 'quit' }
    case '?':
    case 'help':
      return { kind: 'help' }
    case 'new':
    case 'sql':
    case 'chats':
      return { kind: name.toLowerCase() as 'new' | 'sql' | 'chats' }
    case 'chat':
      return given === '' ? needs('the id of a chat; /chats lists them') : { kind: 'chat', id: given }
    case 'model':
      return { kind: 'model', name: given || undefined }
    case 'chart':
      return given === '' ? needs('a file, e.g. chart.png') : { kind: 'chart', path: given }
    case 'up':
      return { kind: 'vote', vote: 'up', reason: given || undefined }
    case 'down':
      return given === '' ? needs('the reason') : { kind: 'vote', vote: 'down', reason: given }
    default:
      return skills.some((skill) => skill.toLowerCase() === name.toLowerCase()) ? undefined : unknown(name, skills)
  }
}

function unknown(name: string, skills: readonly string[]): AskCommand {
  const near = closeMatch(name, [...ASK_COMMANDS.map((command) => command.slice(1)), ...skills])
  const hint = near === undefined ? '/help lists what there is.' : `Did you mean /${near}?`
  return { kind: 'unknown', problem: `There is no /${name.slice(0, 40)}. ${hint}` }
}
