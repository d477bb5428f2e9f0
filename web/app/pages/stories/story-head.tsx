import { isOffered } from '../../api/server.ts'
import { ShareButton } from '../../frame/sharing/share-button.tsx'
import { Button } from '../../kit/button.tsx'
import { Tooltip } from '../../kit/tooltip.tsx'
import type { StoryCommenting } from './story-comments.tsx'
import { StoryMenu } from './story-menu.tsx'
import type { ShownStory } from './story-page.tsx'
import { useStoriesSearch } from './use-stories-search.ts'
import type { StoryRefreshing } from './use-story-refresh.ts'
import css from './story.module.css'

interface StoryHeadProps {
  readonly story: ShownStory
  readonly refresh: StoryRefreshing
  readonly commenting: StoryCommenting
}

/** The title of a story and its actions. */
export function StoryHead({ story, refresh, commenting }: StoryHeadProps) {
  const { setSearch } = useStoriesSearch()
  const isArchived = story.archived_at !== undefined
  const comment = commenting.canComment && (
    <Tooltip text="Comment on the story or a block" keys="c">
      <Button size="small" icon="ask" aria-pressed={commenting.isOn} onClick={commenting.toggle}>
        Comment
      </Button>
    </Tooltip>
  )
  if (story.owner !== undefined)
    return (
      <header className={css.head}>
        <h2 className={css.title}>{story.title}</h2>
        <div className={css.actions}>
          <span className={css.note}>shared by {story.owner.name}</span>
          {comment}
          <StoryMenu story={story} />
        </div>
      </header>
    )
  return (
    <header className={css.head}>
      <h2 className={css.title}>{story.title}</h2>
      <div className={css.actions}>
        {!isArchived && isOffered('story_refresh') && (
          <Tooltip text="Run its queries again" keys="r">
            <Button size="small" icon="refresh" busy={refresh.isRunning} onClick={refresh.start}>
              Refresh
            </Button>
          </Tooltip>
        )}
        <Tooltip text="Edit" keys="e">
          <Button size="small" icon="edit" onClick={() => setSearch({ view: 'edit', version: undefined })}>
            Edit
          </Button>
        </Tooltip>
        <Tooltip text="Versions" keys="v">
          <Button size="small" icon="timeline" onClick={() => setSearch({ view: 'versions', version: undefined })}>
            Versions
          </Button>
        </Tooltip>
        {comment}
        <ShareButton of="story" id={story.id} shared={story.shared} />
        <StoryMenu story={story} />
      </div>
    </header>
  )
}
