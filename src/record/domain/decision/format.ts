import { strip } from '../../../kernel/domain/text.ts'
import { endsInsideFence } from '../../../kernel/domain/text/markdown-fences.ts'
import { decisionStem } from './decision-id.ts'
import { type Decision, FRONTMATTER_KEYS } from './decision.ts'
import { DecisionFault } from './fault.ts'
import { foreignLines } from './frontmatter.ts'
import { parseDecision, refuseContradictions } from './parse.ts'

/**
 * The canonical text of a decision. Parsing and formatting it again returns the same bytes. Frontmatter that other
 * programs wrote into its source file follows Ken's own keys.
 */
export function formatDecision(decision: Decision): string {
  const sections = [
    `# ${String(decision.num).padStart(3, '0')} — ${strip(decision.title)}`,
    `## Decision\n\n${strip(decision.rationale)}`,
  ]
  if (decision.rejected.length > 0) {
    sections.push('## Rejected Alternatives')
    for (const { name, reason } of decision.rejected)
      sections.push(strip(`### ${strip(name)}\n\n${strip(reason ?? '')}`))
  }
  return `---\n${frontmatter(decision)}---\n\n${sections.join('\n\n')}\n`
}

/**
 * Formats a decision about to be written, and rejects one that would be parsed differently: an open code fence, a
 * heading inside a reason, a line break in a title.
 */
export function formatFaithfully(decision: Decision): string {
  refuseContradictions(decision.status, decision.superseded_by, decision.rejected)
  const text = formatDecision(decision)
  const read = parseDecision(text, `${decisionStem(decision.num, decision.title)}.md`)
  if (read.title !== strip(decision.title))
    throw new DecisionFault('h1', 'the title would not read back: it must be one line')
  if (read.rationale !== strip(decision.rationale)) {
    const why = endsInsideFence(decision.rationale)
      ? 'it ends inside a code fence; close the fence'
      : 'it contains a "## Rejected Alternatives" heading; rename it'
    throw new DecisionFault('section', `the rationale would not read back: ${why}`)
  }
  const unfaithful = decision.rejected.find(
    (r, i) => read.rejected[i]?.name !== strip(r.name) || read.rejected[i].reason !== (strip(r.reason ?? '') || null),
  )
  if (unfaithful !== undefined || read.rejected.length !== decision.rejected.length) {
    throw new DecisionFault(
      'section',
      `the rejected alternative "${unfaithful?.name ?? ''}" would not read back: its name must be one line and its reason may not contain a "### " line`,
    )
  }
  return text
}

function frontmatter(decision: Decision): string {
  return FRONTMATTER_KEYS.map((key) => frontmatterField(key, decision[key])).join('') + foreignLines(decision.content)
}

/** Lines of the field; empty if it is not set. */
export function frontmatterField(key: string, value: string | number | null | readonly string[]): string {
  if (value === null) return ''
  if (Array.isArray(value))
    return value.length === 0 ? '' : `${key}:\n${value.map((item) => `- ${yamlString(item)}\n`).join('')}`
  return `${key}: ${key.startsWith('supersede') ? `'${String(value)}'` : String(value)}\n`
}

const INDICATOR_FIRST = /^[-?:,[\]{}#&*!|>'"%@`]/
const SAFE_DASH = /^[-?:][^\s]/
// Values that a YAML 1.1 parser would not read as a string.
const OTHER_TYPE =
  /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<|[-+]?\.(?:inf|nan)|[-+]?[0-9][0-9_,.:eExXoOa-fA-F+-]*|[-+]?[0-9_]*\.?[0-9_]*(?:e[-+]?[0-9_]*)?|\.[0-9].*|\d{4}-\d{1,2}-\d{1,2}.*)$/i
const UNPRINTABLE = /[^\t\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\n\r\x85\u2028\u2029\ufeff]/u

/**
 * A string as a YAML scalar: plain if every YAML parser reads the same string, else single-quoted, else double-quoted.
 */
export function yamlString(value: string): string {
  if (UNPRINTABLE.test(value)) return JSON.stringify(value)
  return isPlain(value) ? value : `'${value.replaceAll("'", "''")}'`
}

function isPlain(value: string): boolean {
  if (value === '' || value !== value.trim() || value.includes('\t')) return false
  if (INDICATOR_FIRST.test(value) && !SAFE_DASH.test(value)) return false
  if (value.startsWith('---') || value.startsWith('...')) return false
  return !/:(?:\s|$)|\s#/.test(value) && !OTHER_TYPE.test(value)
}
