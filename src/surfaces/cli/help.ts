import { spellNames } from '../../kernel/domain/named-operation.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { paragraph, wrapWidth } from '../../kernel/domain/view/width.ts'
import type { RegisteredOperation } from '../../operations/registry.ts'
import { forTerminal } from '../../operations/spelling.ts'
import { EVERYDAY, GROUPS, REPLACED } from './command-groups.ts'
import { flagsOf, type Flag } from './flags.ts'
import { SHORTHANDS, type Shorthand } from './shorthands.ts'

export interface ServerCommand {
  readonly command: string
  readonly summary: string
}

/** `ken` and `ken --help`: everyday commands, and the nouns for all others. */
export const overview = (everyday: readonly RegisteredOperation[], version: string, view: View): string =>
  [
    ...heading(version, view),
    '',
    ...rows(
      [...everyday.map((op): Row => [everydayCommand(op), briefly(op)]), ['app', 'Open the web app in your browser']],
      view,
    ),
    '',
    view.mark('title', 'More, by subject'),
    ...rows(
      GROUPS.map(({ noun, summary }) => [`${noun} …`, summary]),
      view,
    ),
    '',
    ...paragraphs(
      [
        'Help on a command or subject: ken <command> --help. Every command: ken help --all.',
        'New here? ken demo shows Ken at work, ken start sets up your repository, ken uninstall takes it back.',
      ],
      view,
    ),
  ].join('\n')

/** `ken help --all`: every command, by subject. */
export function fullOverview(
  operations: readonly RegisteredOperation[],
  others: readonly ServerCommand[],
  version: string,
  view: View,
): string {
  const listed = operations.filter((op) => op.toolset !== 'analyst' && REPLACED[op.name] === undefined)
  const everyday = EVERYDAY.map((name) => listed.find((op) => op.name === name)!)
  const isRest = (op: RegisteredOperation): boolean =>
    !everyday.includes(op) && GROUPS.every(({ noun }) => namedIn(noun, op) === undefined)
  const sections: [string, Row[]][] = [
    ['Every day', everyday.map((op) => [everydayCommand(op), briefly(op)])],
    ...GROUPS.map(({ noun, summary }): [string, Row[]] => [summary, groupRows(noun, listed)]),
    [
      'More',
      [
        ...listed.filter(isRest).map((op): Row => [everydayCommand(op), briefly(op)]),
        ...SHORTHANDS.map((one): Row => [one.command, one.summary]),
      ],
    ],
    ['Servers and shells', others.map(({ command, summary }): Row => [command, summary])],
  ]
  const width = longest(sections.flatMap(([, lines]) => lines))
  return [
    ...heading(version, view),
    ...sections.flatMap(([title, lines]) => [
      '',
      ...paragraphs([title], view).map((text) => view.mark('title', text)),
      ...rows(lines, view, width),
    ]),
    '',
    ...paragraphs(['Every command takes --help, --json, --color=auto|always|never and --verbose.'], view),
  ].join('\n')
}

/** Help for a noun, e.g. `ken config --help`. */
export const groupHelp = (noun: string, listed: readonly RegisteredOperation[], view: View): string =>
  [view.mark('title', `Commands: ken ${noun} …`), ...rows(groupRows(noun, listed), view)].join('\n')

const groupRows = (noun: string, listed: readonly RegisteredOperation[]): Row[] =>
  listed.flatMap((op): Row[] => {
    const named = namedIn(noun, op)
    return named === undefined ? [] : [[named, briefly(op)]]
  })

/** The name of a command under a noun, with a second word if it has one. */
const namedIn = (noun: string, { command }: Pick<RegisteredOperation, 'command'>): string | undefined =>
  command.find((words) => words.startsWith(`${noun} `)) ?? command.find((words) => words === noun)

/** `ken <command> --help`, under the typed name. */
export function commandHelp(operation: RegisteredOperation, typed = everydayCommand(operation), view = PLAIN): string {
  const shorthand = SHORTHANDS.find(({ command }) => command === typed)
  const flags = flagsOf(operation).filter((flag) => shorthand?.gives[flag.field] === undefined)
  const positional = operation.positional.flatMap((field) => flags.filter((flag) => flag.field === field))
  const options = flags.filter((flag) => !operation.positional.includes(flag.field))
  const words = [...(shorthand === undefined ? [] : [`<${shorthand.argument}>`]), ...positional.map(argument)]
  const listed: [string, string][] = [
    ...(shorthand === undefined ? [] : [[`<${shorthand.argument}>`, shorthand.help] as [string, string]]),
    ...positional.map((flag): [string, string] => [argument(flag), describe(flag)]),
    ...options.map((flag): [string, string] => [option(flag), describe(flag)]),
    ['--json', 'The answer as JSON.'],
  ]
  const title = (text: string): string => view.mark('title', text)
  return spellNames(
    [
      ...paragraphs(
        [
          shorthand?.summary ?? inTerminal(operation),
          ...(operation.details === '' || shorthand !== undefined ? [] : ['', operation.details]),
        ],
        view,
      ),
      '',
      `${title('Usage')}: ken ${[typed, ...words].join(' ')} [options]`,
      ...examples(operation, typed, shorthand, title),
      '',
      title('Options'),
      ...rows(listed, view),
    ].join('\n'),
    forTerminal(operation),
  )
}

/** The first name of a command, which is the name for people. */
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

const heading = (version: string, view: View): string[] => [
  ...paragraphs([`Ken ${version}: the memory every AI agent on a project shares.`], view),
  '',
  ...paragraphs([`${view.mark('title', 'Usage')}: ken <command> [arguments] [--json] [--project <id or name>]`], view),
]

type Row = readonly [command: string, summary: string]

const paragraphs = (texts: readonly string[], view: View): string[] => texts.map((text) => paragraph(text, view))

/** Two columns; a summary that is too wide continues on the next line. */
function rows(listed: readonly Row[], view: View, width = longest(listed)): string[] {
  const left = view.width - width - 4
  return listed.flatMap(([command, summary]) => {
    const name = view.mark('match', command)
    if (left < NARROWEST)
      return [`  ${name}`, ...wrapWidth(summary, Math.max(NARROWEST, view.width - 6)).map((line) => `      ${line}`)]
    const [first = '', ...more] = left === Infinity ? [summary] : wrapWidth(summary, left)
    const gap = ' '.repeat(Math.max(0, width - command.length))
    return [`  ${name}${gap}  ${first}`.trimEnd(), ...more.map((line) => ' '.repeat(width + 4) + line)]
  })
}

const NARROWEST = 24

const longest = (listed: readonly Row[]): number => Math.max(...listed.map(([left]) => left.length))

function examples(
  operation: RegisteredOperation,
  typed: string,
  shorthand: Shorthand | undefined,
  title: (text: string) => string,
): string[] {
  const lines =
    shorthand === undefined
      ? operation.examples.map((example) => commandLine(operation, example.input, typed))
      : [shorthand.example]
  return lines.length === 0 ? [] : ['', title('Examples'), ...lines.map((line) => `  ${line}`)]
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
