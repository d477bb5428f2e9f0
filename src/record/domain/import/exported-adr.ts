import { z } from 'zod'
import type { AdrRef } from '../../../kernel/domain/adr/adr-ref.ts'
import {
  CONFIDENCES,
  DECISION_TYPES,
  type Decision,
  REVERSIBILITIES,
  type RejectedAlternative,
  SOURCES,
  STATUSES,
} from '../decision/decision.ts'
import { ADR_FORMATS, type AdrFormat, type AdrLinks, RATIONALE_STANDS, adrText } from '../export/adr-text.ts'
import { NO_REASON } from './nygard.ts'

/** Content of an ADR written by Ken, exactly as in the decision. */
export interface ExportedAdr {
  readonly decision: Decision
  readonly supersedes: readonly AdrRef[]
  readonly supersededBy: readonly AdrRef[]
}

const number = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const FACTS = z.strictObject({
  format: z.enum(ADR_FORMATS),
  num: number,
  status: z.enum(STATUSES),
  version: number.min(1),
  confidence: z.enum(CONFIDENCES),
  decision_type: z.enum(DECISION_TYPES).optional(),
  reversibility: z.enum(REVERSIBILITIES).optional(),
  source: z.enum(SOURCES).optional(),
  files_affected: z.array(z.string()).optional(),
  supersedes: number.optional(),
  superseded_by: number.optional(),
  /** Set only if it cannot be restored from the visible text. */
  rationale: z.string().optional(),
  rejected: z.array(z.strictObject({ name: z.string(), reason: z.string().nullable() })).optional(),
})

type Facts = z.output<typeof FACTS>

// The last line before the signature; a rationale may contain a similar one.
const FACT_LINE = /\n<!-- ken (\{.*\}) -->\s*$/
const SIGNATURE = /\n<!-- Exported by Ken from D[0-9]+, sha256 [0-9a-f]{64} -->\n?$/

/** Facts that are not in the visible text, as a one-line HTML comment; `-->` inside it would end the comment. */
export function factLine(decision: Decision, format: AdrFormat, links: AdrLinks): string {
  const facts: Facts = {
    format,
    num: decision.num,
    status: decision.status,
    version: decision.version,
    confidence: decision.confidence,
    ...(decision.decision_type && { decision_type: decision.decision_type }),
    ...(decision.reversibility && { reversibility: decision.reversibility }),
    ...(decision.source && { source: decision.source }),
    ...(decision.files_affected.length > 0 && { files_affected: [...decision.files_affected] }),
    ...(decision.supersedes && { supersedes: Number(decision.supersedes) }),
    ...(decision.superseded_by && { superseded_by: Number(decision.superseded_by) }),
  }
  const read = fromText(adrText(decision, format, links), facts)
  const unsaid = {
    ...(read?.rationale === decision.rationale ? {} : { rationale: decision.rationale }),
    ...(isEqual(read?.rejected, decision.rejected) ? {} : { rejected: decision.rejected }),
  }
  return `<!-- ken ${JSON.stringify({ ...facts, ...unsaid }).replaceAll('>', '\\u003e')} -->`
}

/** The text without the machine-readable lines. */
export const withoutFacts = (text: string): string =>
  text.replace(SIGNATURE, '').replace(FACT_LINE, '').trimEnd() + '\n'

/**
 * The decision that a file was exported from. Undefined for other files, and for an edited one, whose visible content
 * counts.
 */
export function readExported(text: string): ExportedAdr | undefined {
  const facts = factsIn(text)
  if (facts === undefined) return undefined
  const seen = withoutFacts(text)
  const read = fromText(seen, facts)
  if (read === undefined) return undefined
  const decision: Decision = {
    ...read,
    ...(facts.rationale === undefined ? {} : { rationale: facts.rationale }),
    ...(facts.rejected === undefined ? {} : { rejected: facts.rejected }),
  }
  const links = linksIn(seen, facts.format)
  if (adrText(decision, facts.format, links) !== seen || !isTold(facts, links)) return undefined
  return {
    decision,
    supersedes: links.supersedes.flatMap(refIn),
    supersededBy: facts.status === 'superseded' ? refIn(links.status) : [],
  }
}

function factsIn(text: string): Facts | undefined {
  try {
    return FACTS.parse(JSON.parse(FACT_LINE.exec(text.replace(SIGNATURE, ''))?.[1] ?? ''))
  } catch {
    return undefined
  }
}

function fromText(text: string, facts: Facts): Decision | undefined {
  const [after, before] = RATIONALE_STANDS[facts.format]
  const title = (facts.format === 'madr' ? /^# (.*)$/m : /^# [0-9]+\. (.*)$/m).exec(text)?.[1]
  const date = (facts.format === 'madr' ? /^date: (.*)$/m : /^Date: (.*)$/m).exec(text)?.[1]
  const from = text.indexOf(after) + after.length
  const to = text.lastIndexOf(`${before}${facts.format === 'madr' ? `* ${title}` : `${title}\n`}`)
  if (title === undefined || date === undefined || from < after.length || to < from) return undefined
  const rest = text.slice(to)
  return {
    date,
    confidence: facts.confidence,
    version: facts.version,
    status: facts.status,
    decision_type: facts.decision_type ?? null,
    reversibility: facts.reversibility ?? null,
    source: facts.source ?? null,
    files_affected: facts.files_affected ?? [],
    supersedes: ref(facts.supersedes),
    superseded_by: ref(facts.superseded_by),
    rejected: facts.format === 'madr' ? weighedIn(rest) : rejectedIn(rest),
    num: facts.num,
    title,
    rationale: text.slice(from, to),
    body: '',
    content: '',
  }
}

const ref = (num: number | undefined): string | null => (num === undefined ? null : String(num))

/** Options without the first, which is the chosen one, with the arguments about each. */
function weighedIn(text: string): RejectedAlternative[] {
  const listed = text.slice(0, text.indexOf('\n\n## Decision Outcome\n')).split('\n* ').slice(2)
  const end = text.lastIndexOf('\n\n## More Information\n')
  const argued = new Map(
    blocksBelow(text.slice(0, end), '\n\n## Pros and Cons of the Options\n').map(({ name, reason }) => [
      name,
      reason?.replace(/^\* Bad, because /, '') ?? null,
    ]),
  )
  return listed.map((name) => ({ name, reason: argued.get(name) ?? NO_REASON }))
}

const rejectedIn = (text: string): RejectedAlternative[] =>
  blocksBelow(text.trimEnd(), '\n\n## Rejected Alternatives\n')

function blocksBelow(text: string, heading: string): RejectedAlternative[] {
  const at = text.lastIndexOf(heading)
  if (at < 0) return []
  return text
    .slice(at + heading.length)
    .split('\n### ')
    .slice(1)
    .map((block) => {
      const end = block.indexOf('\n')
      return { name: block.slice(0, end), reason: block.slice(end).trim() }
    })
}

function linksIn(text: string, format: AdrFormat): AdrLinks {
  if (format === 'madr') {
    const facts = text.slice(text.lastIndexOf('\n\n## More Information\n'))
    return {
      status: unquoted(/^status: (.*)$/m.exec(text)?.[1] ?? ''),
      supersedes: [...facts.matchAll(/^\* (Supersedes \[.*)$/gm)].map((match) => match[1]!),
    }
  }
  // The first occurrence of each mark was written by the exporter; searching from every heading would be slow in a
  // hostile file.
  const from = text.indexOf(STATUS) + STATUS.length
  const said = text.slice(from, text.indexOf(RATIONALE_STANDS.nygard[0], from))
  const [status = '', ...supersedes] = said.split('\n\n')
  return { status, supersedes }
}

const STATUS = '\n\n## Status\n\n'

function unquoted(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return ''
  }
}

/** Whether the comment's links to other decisions are also in the visible text. */
function isTold({ status, superseded_by, supersedes }: Facts, links: AdrLinks): boolean {
  const says = (line: string, num: number | undefined) =>
    new RegExp(`^supersede[ds](?: by)? (?:\\[(?:ADR-)?|D)0*${num}(?![0-9])`, 'i').test(line)
  const ended = status === 'superseded' ? says(links.status, superseded_by) : !/^superseded by /i.test(links.status)
  return ended && (supersedes === undefined || links.supersedes.some((line) => says(line, supersedes)))
}

function refIn(line: string): AdrRef[] {
  const [, num] = /^supersede[ds](?: by)? (?:\[(?:ADR-)?|D)0*([0-9]+)/i.exec(line) ?? []
  const [, target] = /\]\(([^()\s]+)\)$/.exec(line) ?? []
  return num === undefined ? [] : [{ text: line, target, number: { series: '', number: Number(num) } }]
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
