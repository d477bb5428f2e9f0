import { splitStatusNote } from '../../../kernel/domain/adr/adr-status.ts'
import { strip } from '../../../kernel/domain/text.ts'
import { shiftHeadings } from '../../../kernel/domain/text/markdown.ts'
import { type Decision, type RejectedAlternative } from '../decision/decision.ts'
import { NO_REASON } from '../import/nygard.ts'

export const ADR_FORMATS = ['madr', 'nygard'] as const
export type AdrFormat = (typeof ADR_FORMATS)[number]

/** An ADR's references to others, as text of its format. */
export interface AdrLinks {
  readonly status: string
  /** One line each, e.g. `Supersedes [ADR-0002](0002-x.md)`. */
  readonly supersedes: readonly string[]
}

/** A decision in MADR 4 or in Nygard's form, without the signature line. */
export const adrText = (decision: Decision, format: AdrFormat, links: AdrLinks): string =>
  format === 'madr' ? madr(decision, links) : nygard(decision, links)

/** The headings before and after the rationale. */
export const RATIONALE_STANDS: Readonly<Record<AdrFormat, readonly [after: string, before: string]>> = {
  madr: ['\n\n## Context and Problem Statement\n\n', '\n\n## Considered Options\n\n'],
  nygard: ['\n\n## Context\n\n', '\n\n## Decision\n\n'],
}

function madr(decision: Decision, { status, supersedes }: AdrLinks): string {
  const argued = decision.rejected.filter((r) => (r.reason ?? NO_REASON) !== NO_REASON)
  const facts = [...supersedes.map((line) => `* ${line}`), ...factLines(decision)]
  const [, options] = RATIONALE_STANDS.madr
  return blocks([
    `---\nstatus: ${JSON.stringify(status)}\ndate: ${decision.date}\n---\n# ${decision.title}${around(decision, 'madr')}`,
    `${strip(options)}\n\n${[decision.title, ...decision.rejected.map((r) => r.name)].map((name) => `* ${name}`).join('\n')}`,
    `## Decision Outcome\n\nChosen option: "${decision.title}", because of the reasons given above.`,
    argued.length === 0
      ? ''
      : `## Pros and Cons of the Options\n\n${argued.map((r) => `### ${r.name}\n\n${against(r)}`).join('\n\n')}`,
    `## More Information\n\n${facts.join('\n')}`,
  ])
}

function nygard(decision: Decision, { status, supersedes }: AdrLinks): string {
  return blocks([
    `# ${decision.num}. ${decision.title}`,
    `Date: ${decision.date}`,
    `## Status\n\n${[status, ...supersedes].join('\n\n')}${around(decision, 'nygard')}`,
    `## Decision\n\n${decision.title}`,
    `## Consequences\n\n${factLines(decision).join('\n')}`,
    decision.rejected.length === 0
      ? ''
      : `## Rejected Alternatives\n\n${decision.rejected.map((r) => `### ${r.name}\n\n${r.reason ?? NO_REASON}`).join('\n\n')}`,
  ])
}

/**
 * Heading and rationale. Levels 1 and 2 are reserved for the ADR's headings; an imported status note is left out,
 * because it becomes the status again.
 */
function around(decision: Decision, format: AdrFormat): string {
  const { rationale } = decision.status === 'active' ? splitStatusNote(decision.rationale) : decision
  return RATIONALE_STANDS[format][0] + shiftHeadings(rationale, 0)
}

/** A one-line reason becomes an argument; a longer one is kept as is. */
function against({ reason }: RejectedAlternative): string {
  const text = strip(reason ?? '')
  return text.includes('\n') || /^[-*+]\s/.test(text) ? text : `* Bad, because ${text}`
}

const factLines = (decision: Decision): string[] => [
  `* Confidence: ${decision.confidence}`,
  ...(decision.decision_type === null ? [] : [`* Type: ${decision.decision_type}`]),
  ...(decision.reversibility === null ? [] : [`* Reversibility: ${decision.reversibility}`]),
  ...(decision.files_affected.length === 0
    ? []
    : [`* Files: ${decision.files_affected.map((file) => `\`${file}\``).join(', ')}`]),
]

const blocks = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`
