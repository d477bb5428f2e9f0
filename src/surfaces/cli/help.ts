import { spellNames } from '../../kernel/domain/named-operation.ts'
import type { Toolset } from '../../operations/operation.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import { forTerminal } from '../../operations/spelling.ts'
import { flagsOf, type Flag } from './flags.ts'
import { SHORTHANDS, type Shorthand } from './shorthands.ts'

/** The most common commands, in the order of a first day. */
export const EVERYDAY: readonly string[] = [
  'init',
  'check_decision',
  'propose_decision',
  'get_decision',
  'list_decisions',
  'ask',
  'memory_search',
  'memory_write',
  'status',
  'setup',
]

const GROUPS: readonly [Toolset, string][] = [
  ['record', 'The record: decisions, questions, state'],
  ['memory', 'The memory: sessions, notes, documents'],
  ['data', 'The context: databases, repositories, files'],
  ['code', 'The code graph'],
  ['app', 'The analyst: chats, stories, memories, feedback'],
  ['cli', 'At your terminal'],
]

export interface ServerCommand {
  readonly command: string
  readonly summary: string
}

/** `ken` and `ken --help`: the most common commands. */
export function overview(everyday: readonly RegisteredOperation[], version: string): string {
  return [
    heading(version),
    '',
    ...rows(everyday.map((op) => [everydayCommand(op), briefly(op)])),
    '',
    'ken <command> --help says what a command takes, ken help --all lists every command.',
    'New here? ken demo shows Ken at work on an example, ken init starts in your repository.',
  ].join('\n')
}

/** `ken help --all`: every command, by room. */
export function fullOverview(
  operations: readonly RegisteredOperation[],
  others: readonly ServerCommand[],
  version: string,
): string {
  const groups = GROUPS.map(([toolset, title]): [string, [string, string][]] => [
    title,
    [
      ...operations
        .filter((op) => op.toolset === toolset)
        .map((op): [string, string] => [everydayCommand(op), briefly(op)]),
      ...SHORTHANDS.filter((one) => operations.find(({ name }) => name === one.operation)?.toolset === toolset).map(
        (one): [string, string] => [one.command, one.summary],
      ),
    ],
  ])
  const servers: [string, [string, string][]] = [
    'Servers and shells',
    others.map(({ command, summary }): [string, string] => [command, summary]),
  ]
  const all = [...groups, servers].filter(([, listed]) => listed.length > 0)
  const width = Math.max(...all.flatMap(([, listed]) => listed.map(([words]) => words.length)))
  return [
    heading(version),
    ...all.flatMap(([title, listed]) => ['', title, ...rows(listed, width)]),
    '',
    'ken <command> --help says what a command takes; every one takes --color=auto|always|never and --verbose too.',
  ].join('\n')
}

/** Help for several commands that share the first word, e.g. `ken config --help`. */
export const groupHelp = (word: string, listed: readonly RegisteredOperation[]): string =>
  [
    `Commands: ken ${word} …`,
    ...rows(
      listed.map((op) => [
        op.command.find((words) => words.startsWith(`${word} `)) ?? everydayCommand(op),
        briefly(op),
      ]),
    ),
  ].join('\n')

/** `ken <command> --help`, under the typed name. */
export function commandHelp(operation: RegisteredOperation, typed = everydayCommand(operation)): string {
  const shorthand = SHORTHANDS.find(({ command }) => command === typed)
  const flags = flagsOf(operation).filter((flag) => shorthand?.gives[flag.field] === undefined)
  const positional = operation.positional.flatMap((field) => flags.filter((flag) => flag.field === field))
  const options = flags.filter((flag) => !operation.positional.includes(flag.field))
  const words = [...(shorthand === undefined ? [] : [`<${shorthand.argument}>`]), ...positional.map(argument)]
  const others = operation.command.filter((command) => command !== typed)
  const listed: [string, string][] = [
    ...(shorthand === undefined ? [] : [[`<${shorthand.argument}>`, shorthand.help] as [string, string]]),
    ...positional.map((flag): [string, string] => [argument(flag), describe(flag)]),
    ...options.map((flag): [string, string] => [option(flag), describe(flag)]),
    ['--json', 'The answer as JSON.'],
  ]
  return spellNames(
    [
      shorthand?.summary ?? inTerminal(operation),
      ...(operation.details === '' || shorthand !== undefined ? [] : ['', operation.details]),
      '',
      `Usage: ken ${[typed, ...words].join(' ')} [options]`,
      ...(others.length === 0 || shorthand !== undefined
        ? []
        : [`Also:  ${others.map((command) => `ken ${command}`).join(', ')}`]),
      '',
      ...rows(listed),
      ...examples(operation, typed, shorthand),
    ].join('\n'),
    forTerminal(operation),
  )
}

/** The first name of a command, which is the one for people. */
export const everydayCommand = (op: Pick<RegisteredOperation, 'command'>): string => op.command[0]!

/** An example as a command line. */
export function commandLine(
  operation: RegisteredOperation,
  input: Readonly<Record<string, unknown>>,
  typed = everydayCommand(operation),
): string {
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
  return ['ken', typed, ...words].join(' ')
}

const heading = (version: string): string =>
  `Ken ${version}: the memory every AI agent on a project shares.\n\nUsage: ken <command> [arguments] [--json] [--project <id or name>]`

const rows = (listed: readonly (readonly [string, string])[], width = longest(listed)): string[] =>
  listed.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())

const longest = (listed: readonly (readonly [string, string])[]): number =>
  Math.max(...listed.map(([left]) => left.length))

function examples(operation: RegisteredOperation, typed: string, shorthand: Shorthand | undefined): string[] {
  const lines =
    shorthand === undefined
      ? operation.examples.map((example) => commandLine(operation, example.input, typed))
      : [shorthand.example]
  return lines.length === 0 ? [] : ['', 'Examples', ...lines.map((line) => `  ${line}`)]
}

const inTerminal = (op: RegisteredOperation): string => (op.forPeople === '' ? op.summary : op.forPeople)

const briefly = (op: RegisteredOperation): string =>
  spellNames(op.forPeople === '' ? firstSentence(op.summary) : op.forPeople, forTerminal(op))

const argument = (flag: Flag): string =>
  (flag.required ? `<${flag.name}>` : `[${flag.name}]`) + (flag.kind === 'texts' ? '…' : '')

function option(flag: Flag): string {
  const name = flag.short === undefined ? `--${flag.name}` : `${flag.short}, --${flag.name}`
  if (flag.kind === 'switch') return flag.fallback === true ? `--[no-]${flag.name}` : name
  return `${name} <${flag.kind === 'number' ? 'n' : flag.choices === undefined ? 'text' : 'word'}>${flag.kind === 'texts' || flag.kind === 'objects' ? '…' : ''}`
}

function describe(flag: Flag): string {
  const fallback = [flag.fallback ?? ''].flat().join(', ')
  const parts = [
    flag.help,
    flag.choices && `One of ${flag.choices.join(', ')}.`,
    flag.kind === 'switch'
      ? flag.fallback === true && `On unless --no-${flag.name}.`
      : fallback !== '' && `Default: ${fallback}.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/[.:]$/, '.') ?? text
const quote = (text: string): string => (/^[\w./@:-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`)
