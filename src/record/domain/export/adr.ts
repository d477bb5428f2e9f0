import { splitStatusNote } from '../../../kernel/domain/adr/adr-status.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { decisionStem } from '../decision/decision-id.ts'
import { type Decision, label } from '../decision/decision.ts'
import { factLine } from '../import/exported-adr.ts'
import { type AdrFormat, type AdrLinks, adrText } from './adr-text.ts'

export interface ExportedAdr {
  /** The file name, `0012-title.md`. */
  readonly name: string
  readonly text: string
}

/**
 * Decisions as ADRs that link to each other, in MADR 4 or in Nygard's form. Anything the form cannot express is in a
 * comment, so that an import restores the same decisions.
 */
export function exportAdrs(decisions: readonly Decision[], format: AdrFormat): ExportedAdr[] {
  return decisions.map((decision) => {
    const links = linksOf(decision, format, decisions)
    const text = `${adrText(decision, format, links)}\n${factLine(decision, format, links)}\n`
    return { name: fileName(decision), text: signed(text, decision) }
  })
}

const fileName = ({ num, title }: Decision): string =>
  `${String(num).padStart(4, '0')}-${decisionStem(num, title).replace(/^[0-9]+-/, '')}.md`

const SIGNATURE = /\n<!-- Exported by Ken from D[0-9]+, sha256 ([0-9a-f]{64}) -->\n$/

/** Adds a last line that signs the text above it, so that a later export can detect edits. */
const signed = (text: string, { num }: Decision): string =>
  `${text}\n<!-- Exported by Ken from ${label(num)}, sha256 ${sha256(text)} -->\n`

/** Whether a text is an unchanged export. */
export function isUntouchedExport(text: string): boolean {
  const unix = text.replace(/\r\n/g, '\n')
  const signature = SIGNATURE.exec(unix)
  return signature !== null && sha256(unix.slice(0, signature.index)) === signature[1]
}

/** Links in both directions, whichever of the two decisions states them. */
function linksOf(decision: Decision, format: AdrFormat, all: readonly Decision[]): AdrLinks {
  const own = String(decision.num)
  const link = format === 'madr' ? madrLink : nygardLink
  const replaced = all.filter(
    (d) => d !== decision && (d.superseded_by === own || decision.supersedes === String(d.num)),
  )
  const successor = all.find((d) => String(d.num) === decision.superseded_by)
  const verb = format === 'madr' ? 'superseded by' : 'Superseded by'
  const said = splitStatusNote(decision.rationale).status ?? (format === 'madr' ? 'accepted' : 'Accepted')
  return {
    status:
      decision.status === 'active'
        ? said
        : `${verb} ${successor === undefined ? `D${decision.superseded_by}` : link(successor)}`,
    supersedes: replaced.map((d) => `Supersedes ${link(d)}`),
  }
}

const madrLink = (decision: Decision): string => `[ADR-${String(decision.num).padStart(4, '0')}](${fileName(decision)})`

const nygardLink = (decision: Decision): string => `[${decision.num}. ${decision.title}](${fileName(decision)})`
