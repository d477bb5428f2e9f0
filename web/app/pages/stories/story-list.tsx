import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { FindField } from '../../kit/find-field.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { findStories } from './find-stories.ts'
import { useStoriesSearch } from './use-stories-search.ts'
import css from './stories.module.css'

type ListedStory = Calls['stories_list']['output']['stories'][number]

interface StoryListProps {
  readonly stories: readonly ListedStory[]
  readonly open: string | undefined
}

export function StoryList({ stories, open }: StoryListProps) {
  const { search, setSearch } = useStoriesSearch()
  const navigate = useNavigate()
  const project = useProject()
  const field = useRef<HTMLInputElement>(null)
  const found = findStories(stories, search.q ?? '')
  useKeys([{ keys: '/', does: 'Search stories', group: 'Stories', run: () => field.current?.focus() }])
  const { q, archived, shared } = search
  const which = archived === true ? 'archived' : shared === true ? 'shared' : 'current'
  return (
    <div className={css.listPane}>
      <div className={css.search}>
        <FindField
          ref={field}
          label="Search stories"
          value={q ?? ''}
          onChange={(words) => setSearch({ q: words }, true)}
        />
      </div>
      <Tabs
        label="Which stories"
        value={which}
        onChange={(value) =>
          setSearch({
            archived: value === 'archived' ? true : undefined,
            shared: value === 'shared' ? true : undefined,
          })
        }
        tabs={[
          { value: 'current', label: 'Current' },
          ...(isTeam() ? [{ value: 'shared' as const, label: 'Shared with me' }] : []),
          { value: 'archived', label: 'Archived' },
        ]}
      >
        {found.length === 0 && <p className={css.none}>{noneOf(stories.length, which)}</p>}
        <VirtualList
          label="Stories"
          isMain
          items={found}
          keyOf={addressOf}
          rowHeight={60}
          open={open}
          onOpen={(story) =>
            void navigate({
              to: '/$project/stories/$slug',
              params: { project, slug: addressOf(story) },
              search: {
                ...(q !== undefined && { q }),
                ...(archived === true && { archived }),
                ...(shared === true && { shared }),
              },
            })
          }
        >
          {(story) => <StoryRow story={story} />}
        </VirtualList>
      </Tabs>
    </div>
  )
}

/**
 * URL part that identifies a story: another person's story has its id, because it may have the same name as one of the
 * reader's.
 */
const addressOf = ({ id, slug, owner }: ListedStory): string => (owner === undefined ? slug : id)

const NONE = {
  current: 'No stories yet.',
  shared: 'No shared stories yet. Stories that others share with you appear here.',
  archived: 'No archived stories.',
} as const

const noneOf = (all: number, which: keyof typeof NONE): string => (all > 0 ? 'No stories match.' : NONE[which])

/** One story in the list: its title, its age and its schedule. */
const StoryRow = ({ story: { title, updated_at, last_refresh, schedule, owner } }: { readonly story: ListedStory }) => (
  <div className={css.row}>
    <span className={css.rowTitle}>{title}</span>
    <span className={css.rowFacts}>
      {last_refresh?.ok === false ? (
        <span className={css.failed}>
          <Icon name="warn" size={12} /> refresh failed
        </span>
      ) : (
        <span>
          {last_refresh === undefined ? 'written ' : 'data from '}
          <TimeAgo at={last_refresh?.at ?? updated_at} />
        </span>
      )}
      {owner !== undefined && <span>shared by {owner.name}</span>}
      {schedule !== undefined && (
        <span className={css.rowSchedule}>
          <Icon name="clock" size={12} /> {schedule.says}
        </span>
      )}
    </span>
  </div>
)
