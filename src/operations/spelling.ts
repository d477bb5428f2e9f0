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

/** An input field as the command line calls it. */
export const flagName = (field: string): string => (field === 'project_id' ? 'project' : field.replaceAll('_', '-'))

const isOperation = (name: string): boolean => REGISTRY.some((entry) => entry.name === name)
