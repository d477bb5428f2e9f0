import type { Decision } from '../decision/decision.ts'
import { duplicateHash } from '../decision/duplicate.ts'
import { DecisionFault } from '../decision/fault.ts'
import { formatFaithfully } from '../decision/format.ts'
import { sha256 } from '../sha256.ts'
import { plural } from '../text.ts'
import { readAdr } from './adr.ts'
import { folderOf } from './adr-name.ts'
import { isKnown, numberAll, place, type Candidate, type ImportedDecision, type KnownDecisions } from './placement.ts'
import { traceLineage, type Lineage, type Notice, type PlacedAdr } from './supersession.ts'
import { statusNote } from './status-note.ts'

/** A file of the folder, by its path below it; `text` is undefined for what is not Markdown. */
export interface SourceFile {
  readonly path: string
  readonly text: string | undefined
}

export interface AdrPlan {
  readonly imported: readonly ImportedDecision[]
  readonly duplicates: readonly { readonly path: string; readonly of: number }[]
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** Decisions of the record that an imported one replaces. */
  readonly replaced: readonly { readonly num: number; readonly by: number }[]
  readonly notices: readonly Notice[]
}
