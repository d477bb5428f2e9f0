import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { Views } from '../../kit/views.tsx'
import { VIEWS, without, type DecisionSearch, type DecisionView } from './search.ts'

/** Views of the record; each has a URL. */
export const ViewSwitch = ({ search }: { search: DecisionSearch }) => {
  const project = useProject()
  const navigate = useNavigate()
  const isOpen = useParams({ strict: false }).id !== undefined
  const current = search.view ?? 'list'
  useKeys(
    VIEWS.map((view, at) => ({
      keys: String(at + 1),
      does: NAMES[view],
      group: 'Decision views',
      run: () => void navigate({ to: '/$project/decisions', params: { project }, search: inView(search, view) }),
    })),
  )
  return (
    <Views label="Views">
      {VIEWS.map((view) => (
        <Link
          key={view}
          to="/$project/decisions"
          params={{ project }}
          search={inView(search, view)}
          data-current={view === current || undefined}
          aria-current={view === current && !isOpen ? 'page' : undefined}
          activeOptions={{ exact: true, includeSearch: true }}
          title={NAMES[view]}
        >
          <Icon name={ICONS[view]} size={14} />
          <span>{NAMES[view]}</span>
        </Link>
      ))}
    </Views>
  )
}

/** Keeps the filters and the as-of date; the item open in one view does not apply to another. */
function inView(search: DecisionSearch, view: DecisionView): DecisionSearch {
  const rest = without(search, 'view', 'question', 'resolved', 'graph')
  return view === 'list' ? rest : { ...rest, view }
}

const NAMES: Readonly<Record<DecisionView, string>> = {
  list: 'List',
  timeline: 'Timeline',
  graph: 'Graph',
  questions: 'Questions',
}

const ICONS: Readonly<Record<DecisionView, IconName>> = {
  list: 'list',
  timeline: 'timeline',
  graph: 'graph',
  questions: 'question',
}
