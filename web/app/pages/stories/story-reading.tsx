import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { readCitations } from '../../../../src/analyst/domain/citation/read-citations.ts'
import { layOutStory } from '../../../../src/analyst/domain/story/lay-out-story.ts'
import { isOffered } from '../../api/server.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Button } from '../../kit/button.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { Icon } from '../../kit/icon.tsx'
import { hasTitle, StoryBody } from './story-body.tsx'
import { BlockComments, RestOfComments, useStoryComments } from './story-comments.tsx'
import { StoryFreshness } from './story-freshness.tsx'
import { StoryHead } from './story-head.tsx'
import type { ShownStory } from './story-page.tsx'
import { StoryParams } from './story-params.tsx'
import { StoryQueries, type MarkedCell } from './story-queries.tsx'
import { useStoriesSearch } from './use-stories-search.ts'
import { useStoryRefresh } from './use-story-refresh.ts'
import css from './story.module.css'

/** A story as it is read: its text with the rows of its last good refresh. */
export function StoryReading({ story }: { readonly story: ShownStory }) {
  const { setSearch } = useStoriesSearch()
  const [marked, setMarked] = useState<MarkedCell>()
  const refresh = useStoryRefresh(story.slug)
  const commenting = useStoryComments(story)
  const laid = useMemo(() => layOutStory(story.text, new Map(story.data.map((one) => [one.query, one]))), [story])
  const isOld = story.version !== story.newest
  const isOwn = story.owner === undefined
  const canRefresh = isOwn && story.archived_at === undefined && isOffered('story_refresh')
  // New statements run once, without a further click; a failure is not repeated.
  const isNew = story.waiting.length > 0 && (story.last_refresh === undefined || story.last_refresh.at < story.saved_at)
  const fill = useEffectEvent(refresh.start)
  useEffect(() => {
    if (canRefresh && isNew && !isOld) fill()
  }, [canRefresh, isNew, isOld, story.version])
  const keys: Parameters<typeof useKeys>[0] = [
    { keys: 'e', does: 'Edit', group: 'Story', run: () => setSearch({ view: 'edit', version: undefined }) },
    { keys: 'v', does: 'Versions', group: 'Story', run: () => setSearch({ view: 'versions', version: undefined }) },
    ...(isOffered('story_refresh') ? [{ keys: 'r', does: 'Refresh now', group: 'Story', run: refresh.start }] : []),
  ]
  const comment = { keys: 'c', does: 'Comment', group: 'Story', run: commenting.toggle }
  useKeys([...(isOwn ? keys : []), ...(commenting.canComment ? [comment] : [])])
  return (
    <article className={css.story} aria-label={story.title}>
      <StoryHead story={story} refresh={refresh} commenting={commenting} />
      {isOld && (
        <p className={css.notice}>
          This is version {story.version} of {story.newest}.{' '}
          <Button size="small" onClick={() => setSearch({ version: undefined })}>
            Show the latest
          </Button>
        </p>
      )}
      <StoryParams story={story} refresh={refresh} canChange={canRefresh && !isOld} />
      <StoryFreshness story={story} refresh={refresh} />
      {laid.notices.map((notice) => (
        <div key={notice} className={css.stale} role="note">
          <Icon name="warn" />
          <p>{notice}</p>
        </div>
      ))}
      {isOwn && !isOld && story.text.replace(/^#\s.*/, '').trim() === '' && (
        <EmptyState
          title="This story has no text yet. Write it, with statements that fill its charts and tables."
          action={
            <Button icon="edit" onClick={() => setSearch({ view: 'edit', version: undefined })}>
              Write it
            </Button>
          }
        />
      )}
      <StoryBody
        blocks={laid.blocks}
        title={story.title}
        onFigure={(place) => setMarked(cellOf(place))}
        around={(block, shown) => (
          <BlockComments commenting={commenting} block={block}>
            {shown}
          </BlockComments>
        )}
      />
      <RestOfComments commenting={commenting} isShown={(block) => block > 1 || !hasTitle(laid.blocks, story.title)} />
      <StoryQueries story={story} marked={marked} />
    </article>
  )
}

function cellOf(place: string): MarkedCell | undefined {
  const [cited] = readCitations(`[0](${place})`)
  return cited?.column === undefined
    ? undefined
    : { query: cited.query, column: cited.column, row: (cited.row ?? 1) - 1, at: Date.now() }
}
