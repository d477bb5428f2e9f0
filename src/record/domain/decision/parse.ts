import { isSlipOf } from '../../../kernel/domain/close-match.ts'
import { strip, stripEnd } from '../../../kernel/domain/text.ts'
import { outsideFences } from '../../../kernel/domain/text/markdown-fences.ts'
import { decisionNumber } from './decision-id.ts'
import {
  CONFIDENCES,
  DECISION_TYPES,
  type Decision,
  FRONTMATTER_KEYS,
  RESERVED_KEYS,
  REVERSIBILITIES,
  type RejectedAlternative,
  SOURCES,
  STATUSES,
  type Status,
} from './decision.ts'
import { DecisionFault } from './fault.ts'
import { readFrontmatter } from './frontmatter.ts'

const H1 = /^#[^\S\n]+[0-9]+[^\S\n]+—[^\S\n]+([^\n]+)$/m
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?$/

/** In characters; far beyond any handwritten decision. */
export const LARGEST_DECISION = 1024 * 1024

type Values = ReadonlyMap<unknown, unknown>

/**
 * Parses a decision file strictly: any deviation from the format throws a DecisionFault that names the rule it breaks.
 * Other programs' keys are ignored; `content` keeps them.
 */
export function parseDecision(text: string, filename: string): Decision {
  if (text.length > LARGEST_DECISION) throw new DecisionFault('size', 'the file is larger than 1 MB')
  const { values, body } = readFrontmatter(text)
  refuseReservedKeys(values)
  refuseMisspeltKeys(values)
  refuseBadProvenance(values)
  const title = strip(H1.exec(body)?.[1] ?? '')
  if (title === '') throw new DecisionFault('h1', 'there is no heading of the form "# 042 — Title"')
  const sections = splitSections(body)
  if (sections === undefined) throw new DecisionFault('section', 'there is no "## Decision" section')

  if (/^\d{10}/.test(filename.replace(/^0+/, '')))
    throw new DecisionFault('field', 'the number in the file name has more than nine digits')
  const status = oneOf(values, 'status', STATUSES) ?? 'active'
  const decision: Decision = {
    date: readDate(values),
    confidence: oneOf(values, 'confidence', CONFIDENCES) ?? missing('confidence'),
    version: readVersion(values),
    status,
    decision_type: oneOf(values, 'decision_type', DECISION_TYPES, 'nullable'),
    reversibility: oneOf(values, 'reversibility', REVERSIBILITIES, 'nullable'),
    source: oneOf(values, 'source', SOURCES, 'nullable'),
    files_affected: readFiles(values),
    supersedes: readRef(values, 'supersedes'),
    superseded_by: readRef(values, 'superseded_by'),
    rejected: sections.rejected,
    num: decisionNumber(filename) ?? 0,
    title,
    rationale: sections.rationale,
    body,
    content: text,
  }
  refuseContradictions(status, decision.superseded_by, decision.rejected)
  return decision
}

/** The rules across fields; also checked before anything is written. */
export function refuseContradictions(
  status: Status,
  supersededBy: string | null,
  rejected: readonly RejectedAlternative[],
): void {
  if (status === 'superseded' && supersededBy === null)
    throw new DecisionFault('model', 'a superseded decision must say superseded_by')
  const reasonless = status === 'active' ? rejected.find((r) => r.reason === null) : undefined
  if (reasonless !== undefined)
    throw new DecisionFault('model', `the rejected alternative "${reasonless.name}" has no reason`)
}

function refuseReservedKeys(values: Values): void {
  for (const key of values.keys()) {
    if (typeof key !== 'string' || (RESERVED_KEYS as readonly string[]).includes(key)) {
      throw new DecisionFault('reserved-key', `the frontmatter may not contain the key ${JSON.stringify(key)}`)
    }
  }
}

/**
 * A misspelling of one of Ken's own keys is not another program's key: a decision with `statue` would become active.
 */
function refuseMisspeltKeys(values: Values): void {
  const absent = FRONTMATTER_KEYS.filter((key) => !values.has(key))
  for (const key of values.keys()) {
    if ((FRONTMATTER_KEYS as readonly unknown[]).includes(key)) continue
    const meant = absent.find((own) => isSlipOf(String(key), own))
    if (meant !== undefined)
      throw new DecisionFault('field', `unknown frontmatter key "${String(key)}"; did you mean ${meant}?`)
  }
}

function oneOf<T extends string>(values: Values, key: string, allowed: readonly T[], nullable?: 'nullable'): T | null {
  const value = values.get(key)
  if (value === undefined || (value === null && nullable)) return null
  if ((allowed as readonly unknown[]).includes(value)) return value as T
  throw new DecisionFault('field', `${key} must be one of ${allowed.join(', ')}`)
}

function readDate(values: Values): string {
  const value = values.get('date')
  if (value === undefined) return missing('date')
  const [, year, month, day] = (typeof value === 'string' ? ISO_DATE.exec(value) : null) ?? []
  if (year === undefined || !isCalendarDay(Number(year), Number(month), Number(day))) {
    throw new DecisionFault('field', 'date must be an ISO date such as 2026-04-16')
  }
  return `${year}-${month}-${day}`
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function readVersion(values: Values): number {
  const value = values.get('version')
  if (value === undefined) return 1
  const version = typeof value === 'string' && /^\s*\+?\d+\s*$/.test(value) ? Number(value) : value
  if (typeof version === 'number' && Number.isSafeInteger(version) && version >= 1) return version
  throw new DecisionFault('field', 'version must be a whole number of at least 1')
}

function readFiles(values: Values): string[] {
  const value = values.has('files_affected') ? values.get('files_affected') : []
  if (Array.isArray(value) && value.every((file) => typeof file === 'string')) return value
  throw new DecisionFault('field', 'files_affected must be a list of strings')
}

function readRef(values: Values, key: 'supersedes' | 'superseded_by'): string | null {
  const value = values.get(key)
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new DecisionFault('field', `${key} must be a quoted number such as '70'`)
  if (!/^(?:0|[1-9][0-9]*)$/.test(value))
    throw new DecisionFault('ref', `${key} must be a plain number without leading zeros, such as '70', not '${value}'`)
  return value
}

function missing(key: string): never {
  throw new DecisionFault('field', `${key} is missing`)
}

const DECISION_HEADING = '## Decision'
const REJECTED_HEADING = '## Rejected Alternatives'

interface Sections {
  readonly rationale: string
  readonly rejected: readonly RejectedAlternative[]
  /** The text before and after the rationale. */
  readonly around: readonly [before: string, after: string]
}

/** The body with another rationale; the rest is unchanged. */
export function withRationale(body: string, rationale: string): string {
  const [before, after] = splitSections(body)?.around ?? [body, '']
  return before + rationale + after
}

/**
 * Splits a body at the first `## Decision` and the last `## Rejected Alternatives` after it; headings inside code
 * fences do not count.
 */
function splitSections(body: string): Sections | undefined {
  const lines = body.split('\n')
  const open = outsideFences(lines)
  const start = lines.findIndex((line, i) => open[i] && stripEnd(line) === DECISION_HEADING)
  if (start < 0) return undefined
  const end = lines.findLastIndex((line, i) => i > start && open[i] && stripEnd(line) === REJECTED_HEADING)
  const said = lines.slice(start + 1, end < 0 ? undefined : end).join('\n')
  const rationale = strip(said)
  const from = lines.slice(0, start + 1).join('\n').length + 1 + said.indexOf(rationale)
  return {
    rationale,
    rejected: end < 0 ? [] : splitAlternatives(lines.slice(end + 1).join('\n')),
    around: [body.slice(0, from), body.slice(from + rationale.length)],
  }
}

// Sub-headings split even inside a fence: the format is defined that way, and existing files rely on it.
function splitAlternatives(text: string): RejectedAlternative[] {
  const parts = text.split(/^###[^\S\n]([^\n]+)$/m)
  const alternatives: RejectedAlternative[] = []
  for (let i = 1; i < parts.length; i += 2) {
    alternatives.push({ name: strip(parts[i]!), reason: strip(parts[i + 1] ?? '') || null })
  }
  return alternatives
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const SHAPES: Readonly<Record<string, RegExp>> = {
  proposed_by: ULID,
  approved_by: ULID,
  approved_at: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
  proposal_id: ULID,
  proposed_base_commit: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
}
const TOGETHER = ['proposed_by', 'approved_by', 'approved_at', 'proposal_id']

/**
 * nauro records in these keys who approved a decision. Ken writes none of them, but rejects an approval that is partial
 * or names no one.
 */
function refuseBadProvenance(values: ReadonlyMap<unknown, unknown>): void {
  const given = Object.keys(SHAPES).filter((key) => (values.get(key) ?? null) !== null)
  for (const key of given) {
    const value = values.get(key)
    if (typeof value !== 'string' || !SHAPES[key]!.test(value))
      throw new DecisionFault('field', `${key} is not of the form that nauro writes`)
  }
  const lacking = given.length === 0 ? [] : TOGETHER.filter((key) => !given.includes(key))
  if (lacking.length > 0) throw new DecisionFault('model', `${given[0]} stands without ${lacking.join(', ')}`)
}
