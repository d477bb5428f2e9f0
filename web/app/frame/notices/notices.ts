import type { Calls } from '../../api/call.ts'
import { sourceTrouble } from './source-trouble.ts'

/** Something that failed or went stale while the reader was elsewhere. */
export interface Notice {
  /** Changes with the occurrence: a dismissed notice returns if it happens again. */
  readonly id: string
  readonly what: string
  readonly why: string
  /** Path below the project. */
  readonly to: string
  readonly at: string | undefined
}

interface Known {
  readonly stories: Calls['stories_list']['output']['stories']
  readonly sources: Calls['source_list']['output']['sources']
  readonly drift: Calls['drift']['output']['findings']
}

const DAY = 10

/** One notice for each story, source and decision with a problem. */
export function noticesOf(
  { stories, sources, drift }: Known,
  now: number,
  { isServed }: { readonly isServed: boolean },
): readonly Notice[] {
  const byDecision = Map.groupBy(drift, ({ decision }) => decision.num)
  return [
    ...stories.flatMap(({ id, slug, title, last_refresh: last }) =>
      last?.ok === false
        ? [
            {
              id: `story ${id} ${last.at.slice(0, DAY)} ${last.problem ?? ''}`,
              what: `Refresh failed: ${title}`,
              why: last.problem ?? 'It shows its last good data.',
              to: `stories/${encodeURIComponent(slug)}`,
              at: last.at,
            },
          ]
        : [],
    ),
    ...sources.flatMap((source) => {
      const trouble = sourceTrouble(source, now, { isServed })
      if (trouble === undefined) return []
      const what = `${trouble.tone === 'bad' ? 'Source failing' : 'Source stale'}: ${source.name}`
      const id = `source ${source.key} ${trouble.why} ${trouble.since ?? ''}`
      return [{ id, what, why: trouble.why, to: 'context/sources', at: trouble.since }]
    }),
    ...[...byDecision].map(([num, found]) => {
      const [first] = found
      const more = found.length === 1 ? '' : `, and ${found.length - 1} more`
      return {
        id: `drift ${num} ${found.map(({ about, now: is }) => `${about} ${is}`).join(' ')}`,
        what: `Drift: ${first!.decision.label} ${first!.decision.title}`,
        why: `${first!.about}: ${first!.now}${more}`,
        to: 'inbox?kind=drift',
        at: first!.commit?.at,
      }
    }),
  ]
}
