import type { CatalogueEntry } from '../decision/catalogue.ts'
import { label } from '../decision/decision.ts'
import { governs } from '../decision/governs.ts'
import type { Finding } from './finding.ts'

type Changed = { readonly path: string; readonly previousPath: string | undefined; readonly status: string }

/** The active decisions that name a changed file, one finding for each entry of `files_affected`, however many files it covers. */
export function governedFindings(files: readonly Changed[], decisions: readonly CatalogueEntry[]): Finding[] {
  return decisions
    .filter((entry) => entry.status === 'active')
    .flatMap((entry) => entry.files_affected.flatMap((pattern) => toFinding(entry, pattern, files.filter((file) => covers(pattern, file)))))
}

const covers = (pattern: string, file: Changed): boolean => governs(pattern, file.path) || (file.previousPath !== undefined && governs(pattern, file.previousPath))

function toFinding(entry: CatalogueEntry, pattern: string, covered: readonly Changed[]): Finding[] {
  const [first, ...others] = covered
  if (first === undefined) return []
  const { num, title, status } = entry
  return [{
    kind: 'governed',
    severity: 'note',
    file: first.path,
    line: null,
    also: others.map((file) => file.path),
    decision: { num, label: label(num), title, status },
    reason: `${label(num)} "${title}" names ${pattern}${fate(first)}`,
  }]
}

/** What a reader must know beyond "changed": the decision then points at a file that is no longer there. */
function fate({ status, previousPath }: Changed): string {
  if (status === 'deleted') return ', which is deleted here'
  return status === 'renamed' ? `, and ${previousPath} is renamed here` : ''
}
