import type { AddedLine, Changed } from './added-lines.ts'
import { byWeight, type Finding } from './finding.ts'
import { governedFindings } from './governed.ts'
import { returnsFindings } from './returns.ts'
import { touchedFindings, type TopicHit } from './touched.ts'
import type { RecordTexts } from './turned-down.ts'

/**
 * What the record has to say about a diff. Likeness of words is mentioned only where a decision has no weightier reason
 * to speak of a file.
 */
export function judgeDiff(
  diff: { files: readonly Changed[]; lines: readonly AddedLine[] },
  record: RecordTexts,
  hits: readonly TopicHit[],
): Finding[] {
  const certain = [...returnsFindings(diff.lines, record), ...governedFindings(diff.files, record.decisions)]
  const spoken = new Set(
    certain.flatMap((finding) => [finding.file, ...finding.also].map((file) => `${finding.decision.num}\n${file}`)),
  )
  const likely = touchedFindings(hits).filter((finding) => !spoken.has(`${finding.decision.num}\n${finding.file}`))
  return [...certain, ...likely].sort(byWeight)
}
