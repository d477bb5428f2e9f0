import { AppError } from '../kernel/domain/errors.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { ProgressPart } from '../kernel/ports/call.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { ManifestEntry } from './domain/context-project/manifest.ts'
import type { JudgedExample, StaleExample } from './domain/examples/example.ts'
import type { ModelWriter } from './model-writer.ts'
import type { ContextProject } from './ports/context-project.ts'

/** State shared by the parts of one build. */
export interface Build {
  readonly project: ContextProject
  readonly manifest: Map<string, ManifestEntry>
  readonly notes: Notes
  readonly now: () => Date
  readonly signal: StopSignal | undefined
  readonly write: boolean
  readonly force: boolean
  /** Checks only whether the current state suffices, not what a sync would fetch. */
  readonly check: boolean
  /** Limits concurrency over all sources. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>
  /** Paths taken by other sources in this build, in lower case. */
  readonly taken: Map<string, string>
  readonly progress: SourceProgress
  readonly writer: ModelWriter
}

/** Result of a build, or of a dry run, for one source. */
export interface SourceReport {
  readonly source: string
  readonly listed: number
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  readonly failed: number
  readonly milliseconds: number
  /** Bytes read on an engine that bills them; before a sync, the maximum cost of reading. */
  readonly billed_bytes?: number
  readonly error?: string
}

export interface Failure {
  readonly source: string
  readonly item: string
  readonly message: string
}

export interface BuildReport {
  readonly sources: readonly SourceReport[]
  /** Items that were or would be fetched, with the reason. */
  readonly due: readonly { readonly source: string; readonly item: string; readonly reason: string }[]
  readonly removed: readonly string[]
  readonly failures: readonly Failure[]
  /** Files kept although Ken would write there: not Ken's, or edited by hand. */
  readonly kept: readonly string[]
  readonly skipped: readonly Failure[]
  /** Duration of each fetched item. */
  readonly took: readonly { readonly item: string; readonly milliseconds: number }[]
  readonly redacted: number
  /** Hand-written examples as judged for each database. */
  readonly examples: readonly JudgedExample[]
  readonly staleExamples: readonly StaleExample[]
}

/** The mutable form of a report, while it is collected. */
export type Notes = {
  -readonly [K in keyof Omit<BuildReport, 'sources'>]: BuildReport[K] extends readonly (infer T)[]
    ? T[]
    : BuildReport[K]
}

export const blankNotes = (): Notes => ({
  due: [],
  removed: [],
  failures: [],
  kept: [],
  skipped: [],
  took: [],
  redacted: 0,
  examples: [],
  staleExamples: [],
})

/** Receives the progress of each source. */
export interface SourceProgress {
  listed(source: string, due: number): void
  fetched(source: string, title: string): void
  ended(source: string, failed?: string): void
}

/** Shows the progress as a line per source and as one sum. */
export function showSources(sources: readonly string[], progress: Call['progress']): SourceProgress {
  const parts = new Map<string, ProgressPart>(
    sources.map((name) => [name, { name, done: 0, total: undefined, at: '' }]),
  )
  const tell = (name: string, change: (part: ProgressPart) => Partial<ProgressPart>): void => {
    const before = parts.get(name) ?? { name, done: 0, total: undefined, at: '' }
    const part = { ...before, ...change(before) }
    parts.set(name, part)
    const all = [...parts.values()]
    const sum = (count: (part: ProgressPart) => number): number => all.reduce((total, each) => total + count(each), 0)
    progress(
      `${name} ${part.at}`.trim(),
      sum(({ done }) => done),
      sum(({ total }) => total ?? 0),
      all,
    )
  }
  return {
    listed: (source, due) => tell(source, () => ({ total: due })),
    fetched: (source, title) => tell(source, ({ done }) => ({ done: done + 1, at: title })),
    // Also called after a failure or a stop: the source sends nothing more.
    ended: (source, failed) =>
      tell(source, ({ done }) => ({ total: done, at: '', ...(failed !== undefined && { failed }) })),
  }
}

/** Error message as one line without secrets. */
export async function messageOf(thrown: unknown, { project }: Build): Promise<string> {
  const error = thrown instanceof AppError ? thrown : toAppError(thrown)
  return (await project.redact(thrown instanceof AppError ? error.line : error.message)).text
}
