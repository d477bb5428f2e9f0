import { useRouter } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Page } from '../../frame/page.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { plainTitle } from '../../kit/names.ts'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { dayWords } from '../../kit/time-words.ts'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { HomeLink } from './home-link.tsx'
import { newsPlace, newsMark, newsWords, type NewsItem } from './news-place.ts'
import { newsRoute } from './routes.ts'
import { TwoLines } from './two-lines.tsx'

const SPANS = {
  '1d': 'The last day',
  '7d': 'The last seven days',
  '30d': 'The last thirty days',
  '1y': 'The last year',
}
const MOST = 1_000

/** All changes since a given time. */
export const NewsPage = () => {
  const { since = '7d' } = newsRoute.useSearch()
  const navigate = newsRoute.useNavigate()
  const router = useRouter()
  const project = useProject()
  const answer = useAnswer('news', { since, limit: MOST }, { keep: true })
  const open = (item: NewsItem): void => {
    const place = newsPlace(item)
    if (place !== undefined) router.history.push(`/${encodeURIComponent(project)}/${place}`)
  }
  const own = Object.hasOwn(SPANS, since) ? {} : { [since]: `Since ${dayWords(since)}` }
  return (
    <Page
      title="Activity"
      above={<HomeLink />}
      {...((answer.data?.total ?? 0) > MOST && { about: `The newest ${MOST} of ${answer.data!.total}` })}
      layout="fill"
      actions={
        <Select
          label="Period"
          hideLabel
          value={since}
          onChange={(chosen) => void navigate({ search: { since: chosen } })}
          options={Object.entries({ ...own, ...SPANS }).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      {answer.error !== null && <FaultNote fault={answer.error} again={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton rows={8} />}
      {answer.data !== undefined &&
        (answer.data.total === 0 ? (
          <EmptyState
            title="No activity in this period. Decisions, questions, agent sessions and syncs appear here."
            command="ken news 30d"
          />
        ) : (
          <NewsList news={answer.data.news} onOpen={open} />
        ))}
    </Page>
  )
}

interface Props {
  readonly news: readonly NewsItem[]
  readonly onOpen: (item: NewsItem) => void
}

const NewsList = ({ news, onOpen }: Props) => (
  <VirtualList label="Activity" items={news} keyOf={keyOf} onOpen={onOpen} rowHeight={52} isMain>
    {(item) => <TwoLines mark={newsMark(item)} title={plainTitle(item.title)} at={item.at} more={newsWords(item)} />}
  </VirtualList>
)

const keyOf = ({ at, kind, did, ref = '', title }: NewsItem): string => [at, kind, did, ref, title].join(' ')
