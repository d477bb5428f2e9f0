import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { FindField } from '../../kit/find-field.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { findStories } from './find-stories.ts'
import { StoryRow } from './story-row.tsx'
import { useStoriesSearch } from './use-stories-search.ts'
import css from './stories.module.css'

export type ListedStory = Calls['stories_list']['output']['stories'][number]

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
  const { q, archived } = search
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
        value={archived === true ? 'archived' : 'current'}
        onChange={(value) => setSearch({ archived: value === 'archived' ? true : undefined })}
        tabs={[
          { value: 'current', label: 'Current' },
          { value: 'archived', label: 'Archived' },
        ]}
      >
        {found.length === 0 && <p className={css.none}>{noneOf(stories.length, archived === true)}</p>}
        <VirtualList
          label="Stories"
          isMain
          items={found}
          keyOf={({ slug }) => slug}
          rowHeight={60}
          open={open}
          onOpen={({ slug }) =>
            void navigate({
              to: '/$project/stories/$slug',
              params: { project, slug },
              search: { ...(q !== undefined && { q }), ...(archived === true && { archived }) },
            })
          }
        >
          {(story) => <StoryRow story={story} />}
        </VirtualList>
      </Tabs>
    </div>
  )
}

const noneOf = (all: number, isArchived: boolean): string =>
  all > 0 ? 'No story has these words.' : isArchived ? 'No story is archived.' : 'There are no stories yet.'
