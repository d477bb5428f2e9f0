import { isMap, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import type { z } from 'zod'
import { didYouMean } from '../../kernel/domain/close-match.ts'
import { isPlainObject } from '../../kernel/domain/input/read-value.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { CONFIG_BOUNDS, yamlExcess } from '../../kernel/domain/yaml-bounds.ts'
import { CASE_KINDS, caseFieldsOf, testCaseFields, type TestCase } from './test-case.ts'
import type { BrokenCase, FoundCase } from './test-run.ts'

export interface ReadCases {
  readonly cases: readonly FoundCase[]
  readonly broken: readonly BrokenCase[]
  /** Tagged `draft`: a person must still state the expectation. */
  readonly drafts: readonly DraftCase[]
}

export interface DraftCase extends Pick<BrokenCase, 'file' | 'line' | 'name'> {
  readonly draft: true
}

/** Maximum size of a file, so that an untrusted one costs little. */
export const LARGEST_FILE = CONFIG_BOUNDS.characters

/**
 * Parses the cases of one file: a list, a single case, or a list under `cases`. An invalid case is reported with its
 * line, and the others are still read.
 */
export function readCases(file: string, text: string): ReadCases {
  const whole = (fault: string, line = 1): ReadCases => ({
    cases: [],
    broken: [{ file, line, name: file, fault }],
    drafts: [],
  })
  const excess = yamlExcess(text, { ...CONFIG_BOUNDS, aliases: 0 })
  if (excess !== undefined) return whole(excess)
  const lines = new LineCounter()
  const document = parsed(text, lines)
  if (document === undefined) return whole('it is nested too deeply')
  const [wrong] = document.errors
  if (wrong !== undefined)
    return whole(`it is not YAML (${wrong.code.toLowerCase().replaceAll('_', ' ')})`, lines.linePos(wrong.pos[0]).line)
  const read = nodesOf(document).map((node) => readCase(file, node, lines))
  return {
    cases: read.filter((one) => 'test' in one),
    broken: read.filter((one) => 'fault' in one),
    drafts: read.filter((one) => 'draft' in one),
  }
}

/** Rejects duplicate names in one file, which would be ambiguous. */
export function distinct(found: ReadCases): ReadCases {
  const first = new Map<string, FoundCase>()
  const twice: BrokenCase[] = []
  for (const one of found.cases) {
    const before = first.get(one.id)
    if (before === undefined) first.set(one.id, one)
    else
      twice.push({
        file: one.file,
        line: one.line,
        name: one.test.name,
        fault: `there is another case of this name in line ${before.line}`,
      })
  }
  return { ...found, cases: [...first.values()], broken: [...found.broken, ...twice] }
}

function parsed(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false })
  } catch {
    return undefined
  }
}

/** YAML node of each case, with its value. */
function nodesOf(document: Document): readonly { readonly node: Node; readonly value: unknown }[] {
  const { contents } = document
  const inner = isMap(contents) ? contents.get('cases') : undefined
  const list = isSeq(contents) ? contents : isSeq(inner) ? inner : undefined
  const nodes = (list === undefined ? (contents === null ? [] : [contents]) : list.items) as Node[]
  return nodes.map((node) => ({ node, value: node?.toJS?.(document) as unknown }))
}

function readCase(
  file: string,
  { node, value }: { readonly node: Node; readonly value: unknown },
  lines: LineCounter,
): FoundCase | BrokenCase | DraftCase {
  const line = lines.linePos(node?.range?.[0] ?? 0).line || 1
  const stem = file.replace(/\.ya?ml$/i, '')
  if (!isPlainObject(value)) return { file, line, name: file, fault: 'a case is a mapping with a name and a kind' }
  const kind = value['kind'] ?? kindMeant(value)
  const given = { ...value, ...(kind !== undefined && { kind }), name: value['name'] ?? stem.split('/').at(-1) }
  const name = visibleLine(String(given.name)).slice(0, 200)
  if (Array.isArray(value['tags']) && value['tags'].includes('draft')) return { file, line, name, draft: true }
  const read = testCaseFields.safeParse(given, { reportInput: true })
  if (!read.success) return { file, line, name, fault: faultOf(read.error.issues, given) }
  const test = { ...read.data, name: visibleLine(read.data.name) }
  return { id: `${stem}/${test.name}`, file, line, hash: sha256(JSON.stringify(test)).slice(0, 16), test }
}

/** Infers the kind from a field that only one kind has. */
function kindMeant(value: Readonly<Record<string, unknown>>): TestCase['kind'] | undefined {
  const has = (...fields: readonly string[]): boolean => fields.some((field) => value[field] !== undefined)
  if (has('query')) return 'retrieval'
  if (has('proposal')) return 'decision'
  if (has('conversation')) return 'memory'
  if (has('budget')) return 'context'
  if (!has('prompt')) return undefined
  if (has('sql')) return 'sql'
  return has('called', 'not_called', 'order', 'tables', 'not_tables', 'most_calls') && !has('assert')
    ? 'action'
    : 'answer'
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

/** First fault in half a sentence; a typo in a name often explains a missing field. */
function faultOf(issues: readonly z.core.$ZodIssue[], given: Readonly<Record<string, unknown>>): string {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!
  const field = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys
    const known = field === '' ? caseFieldsOf(String(given['kind'])) : []
    const meant = known.length === 0 ? '' : ` ${didYouMean(key!, known)}`
    return `"${visibleLine(field === '' ? key! : `${field}.${key}`)}" is not a field of it.${meant}`
  }
  if (issue.code === 'invalid_union' && field === 'kind') {
    const kind = given['kind']
    const known = [...new Set(CASE_KINDS.flatMap(caseFieldsOf))]
    const slip = kind === undefined && Object.keys(given).find((key) => !known.includes(key))
    if (slip) return `"${visibleLine(slip)}" is not a field of it. ${didYouMean(slip, known)}`.trim()
    const fault =
      kind === undefined ? '"kind" is missing' : `there is no kind "${visibleLine(String(kind)).slice(0, 40)}"`
    return `${fault}; it is one of ${CASE_KINDS.join(', ')}`
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return `"${field}" is missing`
  if (issue.code === 'invalid_type') return `"${field}" must be ${EXPECTED[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `"${field}" is one of ${issue.values.join(', ')}`
  if (issue.code === 'too_small' && issue.origin === 'string') return `"${field}" is empty`
  return field === '' ? issue.message : `"${field}": ${issue.message}`
}
