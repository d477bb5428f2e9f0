import { RESULT_FORMATS } from '../../context/domain/results/result-format.ts'
import { closeMatch } from '../../kernel/domain/close-match.ts'

interface Settings {
  readonly format: string | undefined
  readonly expanded: boolean
  readonly limit: number | undefined
  readonly output: string | undefined
}

export type SqlCommand =
  | { readonly kind: 'quit' | 'help' | 'edit' }
  | { readonly kind: 'tables'; readonly match: string | undefined }
  | { readonly kind: 'describe'; readonly table: string }
  | { readonly kind: 'use'; readonly database: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'save'; readonly question: string }
  | { readonly kind: 'set'; change(now: Settings): Partial<Settings>; told(now: Settings): string }
  | { readonly kind: 'unknown'; readonly problem: string }

const COMMANDS: readonly (readonly [words: string, help: string])[] = [
  [String.raw`\d [table]`, 'the tables, or the columns of one'],
  [String.raw`\dt [glob]`, 'the tables'],
  [String.raw`\format [name]`, `how rows are shown: ${RESULT_FORMATS.join(', ')}; none: a table`],
  [String.raw`\x`, 'one line for each column, and back'],
  [String.raw`\limit [n]`, 'how many rows are shown; none: 100'],
  [String.raw`\o [file]`, 'write the next result to a file'],
  [String.raw`\i file`, 'run a file'],
  [String.raw`\e`, 'write the statement in your editor'],
  [String.raw`\save question`, 'keep the last statement as an example'],
  [String.raw`\use database`, 'another database of ken.yaml'],
  [String.raw`\q`, 'leave; Ctrl-D does too'],
]

export const SQL_PROMPT_HELP = [
  ...COMMANDS.map(([words, help]) => `  ${words.padEnd(18)}${help}`),
  '  Tab completes tables, columns and keywords; Ctrl-C stops a statement.',
].join('\n')

/** The command on a line; undefined for SQL. */
export function readSqlCommand(line: string): SqlCommand | undefined {
  const text = line.trim().replace(/;$/, '').trim()
  if (/^(?:quit|exit)$/i.test(text)) return { kind: 'quit' }
  if (/^help$/i.test(text)) return { kind: 'help' }
  if (!text.startsWith('\\')) return undefined
  const [, name = '', rest = ''] = /^\\(\S*)\s*(.*)$/s.exec(text) ?? []
  const given = rest.trim()
  const needs = (what: string): SqlCommand => ({ kind: 'unknown', problem: `\\${name} needs ${what}.` })
  switch (name) {
    case 'q':
      return { kind: 'quit' }
    case '?':
    case 'h':
      return { kind: 'help' }
    case 'e':
      return { kind: 'edit' }
    case 'dt':
    case 'l':
      return { kind: 'tables', match: given || undefined }
    case 'd':
      return given === ''
        ? { kind: 'tables', match: undefined }
        : { kind: 'describe', table: given.replaceAll('"', '') }
    case 'use':
    case 'c':
      return given === '' ? needs('the name of a database') : { kind: 'use', database: given }
    case 'i':
      return given === '' ? needs('a file') : { kind: 'file', path: given }
    case 'save':
      return given === '' ? needs('the question that the statement answers') : { kind: 'save', question: given }
    default:
      return setting(name, given)
  }
}

function setting(name: string, given: string): SqlCommand {
  if (name === 'x')
    return {
      kind: 'set',
      change: ({ expanded }) => ({ expanded: !expanded }),
      told: ({ expanded }) => (expanded ? 'One line for each column.' : 'One line for each row.'),
    }
  if (name === 'o')
    return {
      kind: 'set',
      change: () => ({ output: given || undefined }),
      told: ({ output }) => (output === undefined ? 'Results are shown.' : `The next result goes to ${output}.`),
    }
  if (name === 'limit' && /^(?:[1-9]\d{0,5})?$/.test(given))
    return {
      kind: 'set',
      change: () => ({ limit: given === '' ? undefined : Number(given) }),
      told: ({ limit }) => `Up to ${limit ?? 100} rows are shown.`,
    }
  if (name === 'format' && (given === '' || (RESULT_FORMATS as readonly string[]).includes(given)))
    return {
      kind: 'set',
      change: () => ({ format: given || undefined }),
      told: ({ format }) => `Rows are shown as ${format ?? 'a table'}.`,
    }
  if (name === 'format') return { kind: 'unknown', problem: `\\format takes ${RESULT_FORMATS.join(', ')}.` }
  const near = closeMatch(
    name,
    COMMANDS.map(([words]) => words.slice(1).split(' ')[0]!),
  )
  return {
    kind: 'unknown',
    problem: `There is no \\${name.slice(0, 20)}. ${near === undefined ? String.raw`\? lists what there is.` : `Did you mean \\${near}?`}`,
  }
}
