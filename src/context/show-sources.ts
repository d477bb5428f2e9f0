import type { Context, ProgressPart } from '../ports/context.ts'

/** Hears how far each source is. */
export interface SourceProgress {
  listed(source: string, due: number): void
  fetched(source: string, title: string): void
  ended(source: string): void
}

/** Tells it as a line per source and as one sum. */
export function showSources(sources: readonly string[], progress: Context['progress']): SourceProgress {
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
    // Also when it failed or was stopped: nothing more comes from it.
    ended: (source) => tell(source, ({ done }) => ({ total: done, at: '' })),
  }
}
