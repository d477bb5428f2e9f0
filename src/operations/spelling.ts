import type { Spelling } from '../kernel/domain/named-operation.ts'
import { isPerson, type Origin } from '../kernel/domain/origin.ts'
import type { Operation } from './operation.ts'
import { commandOf, REGISTRY } from './registry.ts'

/** Tools and their fields, as named by MCP and HTTP. */
export const FOR_PROGRAMS: Spelling = {
  operation(name, argument) {
    const entry = REGISTRY.find((one) => one.name === name)
    if (entry === undefined) return undefined
    return isTool(entry)
      ? `${name}${argument === '' ? '' : `(${argument})`}`
      : usersOwn(`${entry.command[0]}${argument === '' ? '' : ` ${argument}`}`)
  },
  field: (name) => name,
}

/** Commands and flags; `operation` is the operation whose fields are spelled. */
export const forTerminal = (operation?: Pick<Operation, 'positional'>): Spelling => ({
  operation: (name, argument) =>
    isOperation(name) ? `\`ken ${commandOf(name)}${argument === '' ? '' : ` ${argument}`}\`` : undefined,
  field: (name) => (operation?.positional.includes(name) ? `<${flagName(name)}>` : `--${flagName(name)}`),
})

/** Spelling of the caller's surface; a caller without an origin is a program. */
export const spellingOf = (origin: Origin | undefined, operation: Operation): Spelling =>
  origin !== undefined && isPerson(origin) ? forTerminal(operation) : FOR_PROGRAMS

/**
 * Ken's text for a reader without a terminal: a command becomes the equivalent tool, or a command for the user to run,
 * and a flag becomes a field. Texts are written for people first, and an agent that sees flags tries to pass them.
 */
export const forAgents = (text: string): string =>
  text
    .replaceAll(COMMAND, (_, run: string | undefined, words: string) => {
      const entry = REGISTRY.find(({ command }) => command.some((own) => isCommand(words, own)))
      if (entry !== undefined && isTool(entry))
        return run === undefined ? entry.name : `${run === 'R' ? 'C' : 'c'}all ${entry.name}`
      const [command] = words.split(' --')
      return run === undefined ? usersOwn(command!) : `${run === 'R' ? 'A' : 'a'}sk the user to run \`ken ${command}\``
    })
    .replaceAll(/(^|[.!?] )the user's `ken/g, "$1The user's `ken")
    .replaceAll(FLAG, (_, before: string, flag: string) => `${before}${fieldOf(flag)}`)

// Skips commands already marked as the user's.
const COMMAND = /(?:\b(?<!user to )([Rr])un |(?<!user to run |user's ))`ken ([a-z][^`\n]{0,200})`/g
const FLAG = /(^|[\s("'])--([a-z][a-z-]{1,40})/g
const fieldOf = (flag: string): string => (flag === 'project' ? 'project_id' : flag.replaceAll('-', '_'))

const usersOwn = (command: string): string => `the user's \`ken ${command}\``

/** Whether a server has a tool for an operation; a server for a single project cannot list others. */
const isTool = ({ name, toolset }: { readonly name: string; readonly toolset: string }): boolean =>
  toolset !== 'cli' && name !== 'list_projects'

const isCommand = (words: string, command: string): boolean => words === command || words.startsWith(`${command} `)

/** An input field as named on the command line. */
export const flagName = (field: string): string => FLAGS[field] ?? field.replaceAll('_', '-')

/** One flag for one meaning, although tools name their fields differently. */
const FLAGS: Readonly<Record<string, string>> = {
  project_id: 'project',
  files_affected: 'files',
  decision_type: 'type',
  from_line: 'from',
  tags: 'tag',
}

const isOperation = (name: string): boolean => REGISTRY.some((entry) => entry.name === name)
