import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Page } from '../../frame/page.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Split } from '../../kit/split.tsx'
import { NewStory } from './new-story.tsx'
import { NoStories } from './no-stories.tsx'
import { StoryList } from './story-list.tsx'
import { useStoriesSearch } from './use-stories-search.ts'

/** Reports made from answers: the list of stories, and the open one. */
export function StoriesPage() {
  const { search, setSearch } = useStoriesSearch()
  const { slug } = useParams({ strict: false })
  const navigate = useNavigate()
  const project = useProject()
  const isArchived = search.archived === true
  const { data, error, refetch } = useAnswer(
    'stories_list',
    { archived: isArchived, ...(search.shared === true && { whose: 'shared' as const }) },
    { keep: true },
  )
  const list =
    data === undefined ? (
      error === null ? (
        <Skeleton rows={6} label="Loading stories" />
      ) : (
        <FaultNote fault={error} again={() => void refetch()} />
      )
    ) : (
      <StoryList stories={data.stories} open={slug} />
    )
  if (data?.stories.length === 0 && !isArchived && search.shared !== true && slug === undefined)
    return (
      <Page title="Stories" actions={<NewStory />}>
        <NoStories onArchived={() => setSearch({ archived: true })} />
      </Page>
    )
  // Text and preview side by side also need the space of the list.
  if (slug !== undefined && search.view === 'edit')
    return (
      <Page title="Stories" layout="fill">
        <Outlet />
      </Page>
    )
  return (
    <Page title="Stories" layout="fill" actions={<NewStory />}>
      <Split
        name="stories"
        listLabel="Stories"
        list={list}
        detail={slug === undefined ? undefined : <Outlet />}
        onBack={() => void navigate({ to: '/$project/stories', params: { project }, search: listOnly })}
      />
    </Page>
  )
}

const listOnly = ({ q, archived, shared }: { q?: string; archived?: true; shared?: true }) => ({
  ...(q !== undefined && { q }),
  ...(archived !== undefined && { archived }),
  ...(shared !== undefined && { shared }),
})
