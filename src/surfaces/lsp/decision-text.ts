import { MarkupKind, type MarkupContent } from 'vscode-languageserver/node'
import { ellipsis } from '../../kernel/domain/text.ts'
import { trustMark } from '../../kernel/domain/trust/trust.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { briefReason } from '../../record/domain/decision/brief-reason.ts'
import type { CatalogueEntry } from '../../record/domain/decision/catalogue.ts'
import { type Decision, label } from '../../record/domain/decision/decision.ts'
import { inferredFrom } from '../../record/domain/decision/inferred.ts'
import type { Question } from '../../record/domain/question.ts'

const LONGEST_RATIONALE = 700
const LONGEST_QUESTION = 700
const MOST_REJECTED = 8

/** Formats text for an editor, by its capabilities. */
export interface Writer {
  readonly kind: MarkupKind
  /** Record text, shown without interpretation. */
  text(given: string): string
  strong(given: string): string
  link(given: string, uri: string): string
}

export const PLAIN_WRITER: Writer = {
  kind: MarkupKind.PlainText,
  text: (given) => visible(given),
  strong: (given) => visible(given),
  link: (given) => visible(given),
}

export const MARKDOWN_WRITER: Writer = {
  kind: MarkupKind.Markdown,
  text: escaped,
  strong: (given) => `**${escaped(given)}**`,
  // Only addresses built by Ken get here.
  link: (given, uri) => `[${escaped(given)}](${uri.replaceAll('(', '%28').replaceAll(')', '%29')})`,
}

/** Record text inside Markdown: none of its links, images, HTML, code, headings or commands survive. */
function escaped(given: string): string {
  return (
    visible(given)
      .replaceAll(/[\\`*_[\]<>|~$&@]/g, '\\$&')
      // Bare addresses would become links.
      .replaceAll('://', '\\://')
      .replaceAll(/\bwww\./gi, 'www\\.')
      .replaceAll(/^[ \t]+/gm, '')
      .replaceAll(/^([#+=-])/gm, '\\$1')
      .replaceAll(/^(\d{1,9})([.)])/gm, '$1\\$2')
  )
}

export function decisionHover(
  { entry, decision, uri }: { entry: CatalogueEntry; decision: Decision | undefined; uri: string },
  write: Writer,
): MarkupContent {
  const state = entry.status === 'active' ? 'active' : `superseded by ${label(Number(entry.superseded_by))}`
  const rejected = (decision?.rejected ?? []).slice(0, MOST_REJECTED).map(({ name, reason }) => {
    const why = inferredFrom({ reason }) ?? reason
    return `${write.text(name)}${why === null ? '' : write.text(`: ${briefReason(why)}`)}`
  })
  return {
    kind: write.kind,
    value: [
      `${write.strong(label(entry.num))} ${write.link(entry.title, uri)}${write.text(trustMark(entry.trust))}`,
      write.text(`${state}, ${entry.date}, confidence ${entry.confidence}`),
      ...(decision === undefined ? [] : [write.text(ellipsis(decision.rationale, LONGEST_RATIONALE))]),
      ...(rejected.length === 0 ? [] : [write.strong('Rejected'), ...rejected]),
    ].join('\n\n'),
  }
}

export function questionHover(question: Question, uri: string, write: Writer): MarkupContent {
  const state =
    question.resolvedBy === undefined
      ? 'open'
      : `resolved by ${label(question.resolvedBy.decision)} on ${question.resolvedBy.date}`
  return {
    kind: write.kind,
    value: [
      `${write.strong(question.id)} ${write.link(state, uri)}`,
      write.text(ellipsis(question.body, LONGEST_QUESTION)),
    ].join('\n\n'),
  }
}

/** One line per decision that chose or rejected the thing under the cursor. */
export function namesHover(
  spelled: string,
  lines: readonly {
    readonly stance: 'chosen' | 'rejected'
    readonly text: string
    readonly uri: string
    readonly num: number
  }[],
  write: Writer,
): MarkupContent {
  return {
    kind: write.kind,
    value: [
      write.strong(spelled),
      ...lines.map(({ stance, text, uri, num }) => {
        const said = write.text(ellipsis(text.replaceAll(/\s+/g, ' '), 300))
        return stance === 'chosen'
          ? `Chosen in ${write.link(label(num), uri)}: ${said}`
          : `${write.link('Rejected', uri)}: ${said}`
      }),
    ].join('\n\n'),
  }
}
