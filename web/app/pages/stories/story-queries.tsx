import { useEffect, useRef } from 'react'
import { ResultCard } from '../../kit/data/result-card.tsx'
import type { ShownStory } from './story-page.tsx'
import css from './story.module.css'

/** A cell to which a number in the text links; `at` distinguishes two clicks on the same cell. */
export interface MarkedCell {
  readonly query: string
  readonly column: string
  readonly row: number
  readonly at: number
}

/** The queries behind a story, folded until one is opened. */
export function StoryQueries({
  story: { data },
  marked,
}: {
  readonly story: ShownStory
  readonly marked: MarkedCell | undefined
}) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (marked === undefined) return
    const card = place.current?.querySelector<HTMLElement>(`[data-query="${CSS.escape(marked.query)}"]`)
    card?.scrollIntoView({ block: 'center' })
    card?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true })
  }, [marked])
  if (data.length === 0) return null
  return (
    <section ref={place} className={css.queries} aria-labelledby="story-queries">
      <h3 id="story-queries" className={css.queriesTitle}>
        Queries
      </h3>
      {data.map(({ query, database, sql, columns, rows, cut }) => {
        const own = marked?.query === query ? marked : undefined
        return (
          <div key={`${query}-${own?.at ?? ''}`} data-query={query}>
            <ResultCard
              name={query}
              database={database}
              sql={sql}
              queryId={query}
              columns={columns}
              rows={rows}
              isCut={cut}
              isFoldedAtFirst={own === undefined}
              marked={own}
            />
          </div>
        )
      })}
    </section>
  )
}
