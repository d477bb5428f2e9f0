import { plainTitle } from '../../kit/names.ts'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { newsMark, newsWords, type NewsItem } from './news-place.ts'
import { TwoLines } from './two-lines.tsx'

interface Props {
  readonly news: readonly NewsItem[]
  readonly onOpen: (item: NewsItem) => void
}

export const NewsList = ({ news, onOpen }: Props) => (
  <VirtualList label="Activity" items={news} keyOf={keyOf} onOpen={onOpen} rowHeight={52} isMain>
    {(item) => <TwoLines mark={newsMark(item)} title={plainTitle(item.title)} at={item.at} more={newsWords(item)} />}
  </VirtualList>
)

const keyOf = ({ at, kind, did, ref = '', title }: NewsItem): string => [at, kind, did, ref, title].join(' ')
