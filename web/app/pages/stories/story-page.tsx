import { useParams } from '@tanstack/react-router'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { StoryEdit } from './story-edit.tsx'
import { StoryInspector } from './story-inspector.tsx'
import { StoryReading } from './story-reading.tsx'
import { StoryVersions } from './story-versions.tsx'
import { useStoriesSearch } from './use-stories-search.ts'
import css from './story.module.css'

export type ShownStory = Calls['story_show']['output']

/** One story: reading, editing or versions, depending on the URL. */
export function StoryPage() {
  const { slug = '' } = useParams({ strict: false })
  const { search } = useStoriesSearch()
  const isEarlier = search.view === undefined && search.version !== undefined
  const input = { slug, ...(isEarlier && { version: search.version! }) }
  const { data: story, error, refetch } = useAnswer('story_show', input)
  if (story === undefined)
    return (
      <div className={css.waiting}>
        {error === null ? (
          <Skeleton rows={8} label="Loading the story" />
        ) : (
          <FaultNote fault={error} again={() => void refetch()} />
        )}
      </div>
    )
  return <OpenStory key={slug} story={story} view={search.view} />
}

function OpenStory({ story, view }: { readonly story: ShownStory; readonly view: 'edit' | 'versions' | undefined }) {
  usePageTitle(story.title)
  const isOwn = story.owner === undefined
  return (
    <>
      {view === 'edit' && isOwn && <StoryEdit story={story} />}
      {view === 'versions' && isOwn && <StoryVersions story={story} />}
      {(view === undefined || !isOwn) && <StoryReading story={story} />}
      {(view !== 'edit' || !isOwn) && <StoryInspector story={story} />}
    </>
  )
}
