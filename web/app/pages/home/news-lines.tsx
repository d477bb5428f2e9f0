import { useAnswer } from '../../api/queries.ts'
import { plainTitle } from '../../kit/names.ts'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { timeAgo } from '../../kit/time-words.ts'
import { HomeRow } from './home-row.tsx'
import { HomeSection } from './home-section.tsx'
import type { Visit } from './last-visit.ts'
import { newsMark, newsPlace, newsWords } from './news-place.ts'

export const NEWS_SHOWN = 5
const EVERY_MS = 30_000

/** Changes since the last visit. */
export const NewsLines = ({ visit: { since, isFirst } }: { visit: Visit }) => {
  const answer = useAnswer('news', { since, limit: NEWS_SHOWN }, { every: EVERY_MS, keep: true })
  const when = isFirst ? 'in the last seven days' : `since your last visit ${timeAgo(new Date(since), Date.now())}`
  return (
    <HomeSection
      title={isFirst ? 'New in the last seven days' : 'New since your last visit'}
      count={answer.data?.total}
      all={{ to: `news?${new URLSearchParams({ since })}`, label: `All activity ${when}` }}
      state={answer}
      calm={`No activity ${when}.`}
    >
      {answer.data !== undefined && answer.data.total > 0 && (
        <ul>
          {answer.data.news.map((item, at) => (
            <HomeRow
              key={`${item.at} ${at}`}
              to={newsPlace(item)}
              mark={newsMark(item)}
              title={plainTitle(item.title)}
              more={newsWords(item)}
              end={<TimeAgo at={item.at} />}
            />
          ))}
        </ul>
      )}
    </HomeSection>
  )
}
