import { Navigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { decisionReferred } from '../../../../src/record/domain/decision/decision-id.ts'
import { useProject } from '../../api/queries.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { Skeleton } from '../../kit/skeleton.tsx'
import { ListView } from './list-view.tsx'
import { decisionsRoute } from './routes.ts'

const TimelineView = lazy(() => import('./timeline-view.tsx').then((file) => ({ default: file.TimelineView })))
const GraphView = lazy(() => import('./graph-view.tsx').then((file) => ({ default: file.GraphView })))
const QuestionsView = lazy(() => import('./questions-view.tsx').then((file) => ({ default: file.QuestionsView })))

/** The record in the view that the URL selects, with the open decision. */
export const BrowsePage = () => {
  const search = decisionsRoute.useSearch()
  const project = useProject()
  const { id } = useParams({ strict: false })
  const open = id === undefined ? undefined : decisionReferred(id)
  // `D042` and `42` are one decision, and have one URL.
  if (id !== undefined && open !== undefined && id !== String(open))
    return <Navigate to="/$project/decisions/$id" params={{ project, id: String(open) }} search={search} replace />
  // A decision opened from the graph or the questions is shown beside the list.
  const view =
    search.view === 'graph' || search.view === 'questions' ? (id === undefined ? search.view : 'list') : search.view
  return (
    <Suspense fallback={<Skeleton rows={8} />}>
      {id === undefined && <AreaTitle />}
      {view === 'timeline' ? (
        <TimelineView search={search} open={open} asked={id} />
      ) : view === 'graph' ? (
        <GraphView search={search} />
      ) : view === 'questions' ? (
        <QuestionsView search={search} />
      ) : (
        <ListView search={search} open={open} asked={id} />
      )}
    </Suspense>
  )
}

const AreaTitle = () => {
  usePageTitle('Decisions')
  return null
}
