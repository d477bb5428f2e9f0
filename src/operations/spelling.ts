import type { Origin } from '../core/journal/event.ts'
import type { Spelling } from '../core/named-operation.ts'
import type { Operation } from './operation.ts'
import { commandOf, REGISTRY } from './registry.ts'

/** Tools and their fields, as MCP and HTTP have them. */
export const FOR_PROGRAMS: Spelling = {
  operation: (name, argument) => (isOperation(name) ? `${name}${argument === '' ? '' : `(${argument})`}` : undefined),
  field: (name) => name,
}

/** Commands and flags; `operation` is the one whose fields are meant. */
export const forTerminal = (operation?: Pick<Operation, 'positional'>): Spelling => ({
  operation: (name, argument) =>
    isOperation(name) ? `\`ken ${commandOf(name)}${argument === '' ? '' : ` ${argument}`}\`` : undefined,
  field: (name) => (operation?.positional.includes(name) ? `<${flagName(name)}>` : `--${flagName(name)}`),
})

/** As the caller's surface has them; whoever does not say where it comes from is a program. */
export const spellingOf = (origin: Origin | undefined, operation: Operation): Spelling =>
  origin?.surface === 'cli' ? forTerminal(operation) : FOR_PROGRAMS

/**
 * Ken's own words to somebody without a terminal: a command is the tool that does the same, or else the user's to run,
 * and a flag is a field. Texts are written for people first, and an agent that is told of flags tries to pass them.
 */
export const forAgents = (text: string): string =>
  text
    .replaceAll(COMMAND, (_, run: string | undefined, words: string) => {
      const entry = REGISTRY.find(({ command }) => command.some((own) => isCommand(words, own)))
      if (entry !== undefined && entry.toolset !== 'cli' && !PEOPLE_ONLY.has(entry.name))
        return run === undefined ? entry.name : `${run === 'R' ? 'C' : 'c'}all ${entry.name}`
      const command = `\`ken ${words.split(' --')[0]}\``
      return run === undefined
        ? `${command} (the user's to run)`
        : `${run === 'R' ? 'A' : 'a'}sk the user to run ${command}`
    })
    .replaceAll(FLAG, (_, before: string, flag: string) => `${before}${fieldOf(flag)}`)

const COMMAND = /(?:\b([Rr])un )?`ken ([a-z][^`\n]{0,200})`/g
const FLAG = /(^|[\s("'])--([a-z][a-z-]{1,40})/g
const fieldOf = (flag: string): string => (flag === 'project' ? 'project_id' : flag.replaceAll('-', '_'))

/** A server of one project has no list of others to offer. */
const PEOPLE_ONLY = new Set(['list_projects'])

const isCommand = (words: string, command: string): boolean => words === command || words.startsWith(`${command} `)

/** An input field as the command line calls it. */
export const flagName = (field: string): string => (field === 'project_id' ? 'project' : field.replaceAll('_', '-'))

const isOperation = (name: string): boolean => REGISTRY.some((entry) => entry.name === name)
