import { decisionStem } from '../decision/decision-id.ts'
import { type Decision, type RejectedAlternative, label } from '../decision/decision.ts'
import { splitStatusNote } from '../import/adr-status.ts'
import { shiftHeadings } from '../import/markdown.ts'
import { NO_REASON } from '../import/nygard.ts'
import { sha256 } from '../sha256.ts'
import { strip } from '../text.ts'

export const ADR_FORMATS = ['madr', 'nygard'] as const
export type AdrFormat = (typeof ADR_FORMATS)[number]

export interface ExportedAdr {
  /** The file name, `0012-title.md`. */
  readonly name: string
  readonly text: string
}

/** Decisions as ADRs that link to each other, in MADR 4 or in Nygard's form. */
export function exportAdrs(decisions: readonly Decision[], format: AdrFormat): ExportedAdr[] {
  const write = format === 'madr' ? madr : nygard
  return decisions.map((decision) => ({
    name: fileName(decision),
    text: signed(write(decision, relationsOf(decision, decisions)), decision),
  }))
}

const fileName = ({ num, title }: Decision): string =>
  `${String(num).padStart(4, '0')}-${decisionStem(num, title).replace(/^[0-9]+-/, '')}.md`

const SIGNATURE = /\n<!-- Exported by Ken from D[0-9]+, sha256 ([0-9a-f]{64}) -->\n$/

/**
 * The last line vouches for the text above it, so that a later export knows whether a person has changed the file
 * since.
 */
const signed = (text: string, { num }: Decision): string =>
  `${text}\n<!-- Exported by Ken from ${label(num)}, sha256 ${sha256(text)} -->\n`

/** Whether a text is an export nobody has changed. */
export function isUntouchedExport(text: string): boolean {
  const unix = text.replace(/\r\n/g, '\n')
  const signature = SIGNATURE.exec(unix)
  return signature !== null && sha256(unix.slice(0, signature.index)) === signature[1]
}

interface Relations {
  readonly successor: Decision | undefined
  readonly replaced: readonly Decision[]
}

/** Both directions, whichever of the two decisions says it. */
function relationsOf(decision: Decision, all: readonly Decision[]): Relations {
  const own = String(decision.num)
  return {
    successor: decision.status === 'superseded' ? all.find((d) => String(d.num) === decision.superseded_by) : undefined,
    replaced: all.filter((d) => d !== decision && (d.superseded_by === own || decision.supersedes === String(d.num))),
  }
}

function madr(decision: Decision, { successor, replaced }: Relations): string {
  const { status = 'accepted', rationale } = splitStatusNote(decision.rationale)
  const current =
    decision.status === 'active'
      ? status
      : `superseded by ${successor === undefined ? `D${decision.superseded_by}` : madrLink(successor)}`
  const argued = decision.rejected.filter((r) => (r.reason ?? NO_REASON) !== NO_REASON)
  const facts = [...replaced.map((d) => `* Supersedes ${madrLink(d)}`), ...factLines(decision)]
  return blocks([
    `---\nstatus: ${JSON.stringify(current)}\ndate: ${decision.date}\n---\n# ${decision.title}`,
    `## Context and Problem Statement\n\n${shiftHeadings(rationale, 0)}`,
    `## Considered Options\n\n${[decision.title, ...decision.rejected.map((r) => r.name)].map((name) => `* ${name}`).join('\n')}`,
    `## Decision Outcome\n\nChosen option: "${decision.title}", because of the reasons given above.`,
    argued.length === 0
      ? ''
      : `## Pros and Cons of the Options\n\n${argued.map((r) => `### ${r.name}\n\n${against(r)}`).join('\n\n')}`,
    facts.length === 0 ? '' : `## More Information\n\n${facts.join('\n')}`,
  ])
}

function nygard(decision: Decision, { successor, replaced }: Relations): string {
  const { status = 'Accepted', rationale } = splitStatusNote(decision.rationale)
  const current =
    decision.status === 'active'
      ? status
      : `Superseded by ${successor === undefined ? `D${decision.superseded_by}` : nygardLink(successor)}`
  const facts = factLines(decision)
  return blocks([
    `# ${decision.num}. ${decision.title}`,
    `Date: ${decision.date}`,
    `## Status\n\n${[current, ...replaced.map((d) => `Supersedes ${nygardLink(d)}`)].join('\n\n')}`,
    `## Context\n\n${shiftHeadings(rationale, 0)}`,
    `## Decision\n\n${decision.title}`,
    `## Consequences\n\n${facts.length === 0 ? 'None are recorded.' : facts.join('\n')}`,
    decision.rejected.length === 0
      ? ''
      : `## Rejected Alternatives\n\n${decision.rejected.map((r) => `### ${r.name}\n\n${r.reason ?? NO_REASON}`).join('\n\n')}`,
  ])
}

const madrLink = (decision: Decision): string => `[ADR-${String(decision.num).padStart(4, '0')}](${fileName(decision)})`

const nygardLink = (decision: Decision): string => `[${decision.num}. ${decision.title}](${fileName(decision)})`

/** A reason of one line becomes an argument; a longer one has its own form already. */
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
