import { LineCounter, parseDocument, type YAMLError } from 'yaml'
import type { z } from 'zod'
import { didYouMean } from '../../../kernel/domain/close-match.ts'
import { AppError } from '../../../kernel/domain/errors.ts'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import { configEntries, configSchema, fieldsAt, type ContextConfig, type ParsedConfig } from './config.ts'
import { withoutSecrets } from './secret-fields.ts'
import type { ContextRules } from './source-rules.ts'

/**
 * Parses ken.yaml, with references to the environment unresolved. Throws `invalid_input` that names the line and the
 * probable intent.
 */
export function readConfig(text: string, rules: ContextRules): ContextConfig {
  const lines = new LineCounter()
  const document = parseConfig(text, lines)
  const [broken] = document.errors
  if (broken !== undefined) throw notYaml(broken, lines)
  const value = configValue(document)
  const read = configSchema(rules).safeParse(value, { reportInput: true })
  if (!read.success) {
    const issue = worst(read.error.issues.flatMap(unfolded))
    throw configFault(issue, value, fieldsAt(issue.path, rules))
  }
  const parsed = withProjectPersonal(read.data, value)
  const { name, templates, memory, tests, databases } = parsed
  assertDistinct(parsed, rules)
  return { name, templates, memory, tests, databases, entries: configEntries(parsed, rules) }
}

/** A database without `personal` inherits the project's. */
function withProjectPersonal(parsed: ParsedConfig, value: unknown): ParsedConfig {
  const { personal, databases } = parsed
  if (personal === undefined) return parsed
  const written = (value as { readonly databases?: readonly object[] }).databases ?? []
  return {
    ...parsed,
    databases: databases.map((one, i) => ('personal' in (written[i] ?? {}) ? one : { ...one, personal })),
  }
}

/** A parser error as a sentence that names the line. */
export const notYaml = ({ code, pos }: YAMLError, lines: LineCounter): AppError =>
  fault(
    `line ${lines.linePos(pos[0]).line || 1} is not YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    'Mend the line; quotes help where a value holds ": " or "#".',
  )

// The parser takes seconds for some texts of a few hundred kilobytes.
const LARGEST = 64 * 1024
const MOST_ALIASES = 50
const TOO_INVOLVED = 'Write it plainly: no aliases of aliases, and few levels.'

/** Throws `invalid_input` for a text that would take too long to parse. */
export function parseConfig(text: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> {
  if (text.length > LARGEST) throw fault('it is larger than 64 KB', 'Shorten it; globs take many tables at once.')
  const excess = yamlExcess(text, CONFIG_BOUNDS)
  if (excess !== undefined) throw fault(excess, 'Make it shorter and flatter.')
  try {
    // Pretty-printing every fault would take longer than finding them.
    return parseDocument(text, { lineCounter, prettyErrors: false })
  } catch {
    throw fault('it is nested too deeply', TOO_INVOLVED)
  }
}

export function configValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {}
  } catch {
    throw fault('its aliases stand for too much', TOO_INVOLVED)
  }
}

/** If one entry or a list is allowed, reports the fault for the form that is used. */
export function unfolded(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length !== 2) return [issue]
  const inner = issue.errors[Array.isArray(issue.input) ? 1 : 0]!
  return inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

/** A misspelled name is often the reason for a missing field, so it is reported first. */
const worst = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue =>
  issues.find((issue) => issue.code === 'unrecognized_keys') ?? issues[0]!

/** One configuration issue as a sentence with a hint; `known` are the allowed fields at its place. */
export function configFault(issue: z.core.$ZodIssue, whole: unknown, known: readonly string[]): AppError {
  const where = place(issue.path, whole)
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys
    return fault(`${where}"${key}" is not known`, didYouMean(key!, known))
  }
  if (issue.code === 'custom')
    return fault(`${where}${issue.message}`, String(issue.params?.['hint'] ?? 'Change its value.'))
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return fault(`${where}"${String(issue.path.at(-1))}" is missing`, 'Add it.')
  if (issue.code === 'invalid_type')
    return fault(
      `${where}"${String(issue.path.at(-1) ?? 'the file')}" must be a ${issue.expected}`,
      'Change its value.',
    )
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    const field = String(issue.path.at(-1))
    return fault(
      `${where}"${field}" cannot be "${withoutSecrets(field, String(issue.input))}"`,
      didYouMean(String(issue.input), values),
    )
  }
  return fault(
    `${where}${issue.path.length === 0 ? '' : `"${String(issue.path.at(-1))}": `}${issue.message}`,
    'Change its value.',
  )
}

const fault = (what: string, hint: string): AppError => new AppError('invalid_input', `ken.yaml: ${what}.`, { hint })

/** `databases "shop": `, with the name of the entry if it has one. */
function place(path: readonly PropertyKey[], whole: unknown): string {
  if (path.length < 2) return ''
  const entry = (whole as Record<PropertyKey, Record<PropertyKey, { name?: unknown }> | undefined>)[path[0]!]?.[
    path[1]!
  ]
  const label =
    typeof path[1] === 'number'
      ? typeof entry?.name === 'string'
        ? ` "${entry.name}"`
        : ` (number ${path[1] + 1})`
      : ''
  return `${String(path[0])}${label}: `
}

/** The command line and the tree identify a source by its name. */
function assertDistinct(parsed: ParsedConfig, { sources }: ContextRules): void {
  const lists = ['databases', ...sources.filter(({ entries }) => entries !== 'one').map(({ key }) => key)]
  for (const list of lists) {
    const names = (parsed[list] as readonly { readonly name: string }[]).map((entry) => entry.name.toLowerCase())
    const twice = names.find((name, i) => names.indexOf(name) !== i)
    if (twice !== undefined) throw fault(`${list}: two entries are named "${twice}"`, 'Give each a name of its own.')
  }
}
