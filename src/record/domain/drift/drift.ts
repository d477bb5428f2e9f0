/** Certainty that a decision is no longer followed, worst first. */
export const DRIFT_LEVELS = ['contradicts', 'gone', 'changed'] as const

export const DRIFT_KINDS = [
  'replaced',
  'rejected_back',
  'chosen_gone',
  'pin_broken',
  'files_gone',
  'named_file_gone',
  'changed_much',
] as const

export type DriftLevel = (typeof DRIFT_LEVELS)[number]
export type DriftKind = (typeof DRIFT_KINDS)[number]

/** Where and when a drift is visible. */
export interface Evidence {
  /** Relative to the repository root; null if the drift is not about a single file. */
  readonly path: string | null
  readonly line: number | null
  /** The commit that caused the drift; null if unknown or uncommitted. */
  readonly commit: { readonly id: string; readonly at: string } | null
}

/** A way in which the code no longer follows a decision. */
export interface Drift extends Evidence {
  readonly level: DriftLevel
  readonly kind: DriftKind
  /** Subject of the drift: a package, a file, a version. */
  readonly about: string
  readonly was: string
  readonly now: string
  /** The rejected option in use, as the record spells it. */
  readonly thing?: string | undefined
  /** Other files with the same drift. */
  readonly also: readonly string[]
}

const LEVEL_OF: Readonly<Record<DriftKind, DriftLevel>> = {
  replaced: 'contradicts',
  rejected_back: 'contradicts',
  chosen_gone: 'contradicts',
  pin_broken: 'contradicts',
  files_gone: 'gone',
  named_file_gone: 'gone',
  changed_much: 'changed',
}

/** Next step: update the record, or the code. */
export const NEXT: Readonly<Record<DriftKind, string>> = {
  replaced: 'supersede the decision, or go back to what it chose',
  rejected_back: 'take it out again, or supersede the decision',
  chosen_gone: 'supersede the decision, or bring it back',
  pin_broken: 'supersede or edit the decision, or set the version back',
  files_gone: 'edit files_affected, or supersede the decision',
  named_file_gone: 'edit the decision, or supersede it',
  changed_much: 'read it again: edit or supersede it, or leave it as it is',
}

export const drift = (
  kind: DriftKind,
  {
    about,
    path,
    line,
    commit,
    was,
    now,
    thing,
    also = [],
  }: Omit<Drift, 'kind' | 'level' | 'also'> & Partial<Pick<Drift, 'also'>>,
): Drift => ({
  level: LEVEL_OF[kind],
  kind,
  about,
  path,
  line,
  commit,
  was,
  now,
  also,
  ...(thing !== undefined && { thing }),
})
