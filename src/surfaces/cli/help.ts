import type { Toolset } from '../../operations/operation.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import { flagsOf, type Flag } from './flags.ts'

const GROUPS: readonly [Toolset, string][] = [
  ['record', 'The record: decisions, questions, state'],
  ['memory', 'The memory: sessions, notes, documents'],
  ['data', 'The context: databases, repositories, files'],
  ['code', 'The code graph'],
  ['cli', 'At your terminal'],
]

export interface ServerCommand {
  readonly command: string
  readonly summary: string
}

/** `ken --help`: every command on one screen, by room. */
export function overview(
  operations: readonly RegisteredOperation[],
  others: readonly ServerCommand[],
  version: string,
): string {
  const width = Math.max(...operations.map((op) => shortCommand(op).length))
  const row = (words: string, summary: string) => `  ${words.padEnd(width)}  ${summary}`
  const groups = GROUPS.map(([toolset, title]) => ({
    title,
    rows: operations
      .filter((op) => op.toolset === toolset)
      .map((op) => row(shortCommand(op), firstSentence(op.summary))),
  }))
  return [
    `Ken ${version}: the memory every AI agent on a project shares.`,
    '',
    'Usage: ken <command> [arguments] [--json] [--project <id or name>]',
    ...groups.filter((group) => group.rows.length > 0).flatMap((group) => ['', group.title, ...group.rows]),
    '',
    'Servers and shells',
    ...others.map((other) => row(other.command, other.summary)),
    '',
    'ken <command> --help says what a command takes. Start with `ken demo`, or `ken init` in a repository.',
  ].join('\n')
}

/** `ken <command> --help`. */
export function commandHelp(operation: RegisteredOperation): string {
  const flags = flagsOf(operation)
  const positional = operation.positional.map((field) => flags.find((flag) => flag.field === field)!)
  const options = flags.filter((flag) => !operation.positional.includes(flag.field))
  const left = [...positional.map((flag) => argument(flag)), ...options.map(option), '--json']
  const width = Math.max(...left.map((text) => text.length))
  const rows = [...positional, ...options].map((flag, i) => `  ${left[i]!.padEnd(width)}  ${describe(flag)}`.trimEnd())
  const names =
    operation.command.length > 1
      ? [
          `Also: ${operation.command
            .slice(1)
            .map((words) => `ken ${words}`)
            .join(', ')}`,
          '',
        ]
      : []
  return [
    operation.summary,
    ...(operation.details === '' ? [] : ['', operation.details]),
    '',
    `Usage: ken ${[operation.command[0], ...positional.map((flag) => argument(flag))].join(' ')} [options]`,
    ...names,
    ...rows,
    `  ${'--json'.padEnd(width)}  The answer as JSON.`,
    ...(operation.examples.length === 0
      ? []
      : ['', 'Examples', ...operation.examples.map((example) => `  ${commandLine(operation, example.input)}`)]),
  ].join('\n')
}

/** What people type: of the names a command has, the shortest. */
export const shortCommand = (op: Pick<RegisteredOperation, 'command'>): string =>
  op.command.reduce((short, words) => (words.length < short.length ? words : short))

/** An example as someone would type it. */
export function commandLine(operation: RegisteredOperation, input: Readonly<Record<string, unknown>>): string {
  const flags = flagsOf(operation)
  const words = Object.entries(input).map(([field, value]) => {
    const flag = flags.find((f) => f.field === field)!
    const text = (item: unknown) =>
      flag.pair !== undefined && typeof item === 'object'
        ? quote(flag.pair.map((key) => (item as Record<string, string>)[key]).join(': '))
        : quote(String(item))
    if (operation.positional.includes(field)) return [value].flat().map(text).join(' ')
    if (flag.kind === 'switch') return value === true ? `--${flag.name}` : `--no-${flag.name}`
    return [value]
      .flat()
      .map((item) => `--${flag.name} ${text(item)}`)
      .join(' ')
  })
  return ['ken', shortCommand(operation), ...words].join(' ')
}

const argument = (flag: Flag): string =>
  (flag.required ? `<${flag.name}>` : `[${flag.name}]`) + (flag.kind === 'texts' ? '…' : '')

function option(flag: Flag): string {
  if (flag.kind === 'switch') return flag.fallback === true ? `--no-${flag.name}` : `--${flag.name}`
  return `--${flag.name} <${flag.kind === 'number' ? 'n' : flag.choices === undefined ? 'text' : 'word'}>${flag.kind === 'texts' || flag.kind === 'objects' ? '…' : ''}`
}

function describe(flag: Flag): string {
  const parts = [
    flag.help,
    flag.choices && `One of ${flag.choices.join(', ')}.`,
    flag.fallback !== undefined &&
      flag.fallback !== '' &&
      flag.kind !== 'switch' &&
      `Default ${String(flag.fallback)}.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/[.:]$/, '.') ?? text
const quote = (text: string): string => (/^[\w./@:-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`)
