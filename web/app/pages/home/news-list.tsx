import { TimeAgo } from '../../kit/time-ago.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { newsMark, newsWords, type NewsItem } from './news-place.ts'
import styles from './news-list.module.css'

interface Props {
  readonly news: readonly NewsItem[]
  readonly onOpen: (item: NewsItem) => void
}

export const NewsList = ({ news, onOpen }: Props) => (
  <VirtualList label="What happened" items={news} keyOf={keyOf} onOpen={onOpen} rowHeight={52} isMain>
    {(item) => (
      <div className={styles.row}>
        <span className={styles.line}>
          {newsMark(item) !== undefined && <span className={styles.mark}>{newsMark(item)}</span>}
          <span className={styles.title}>{item.title}</span>
        </span>
        <TimeAgo at={item.at} className={styles.age!} />
        <span className={styles.more}>{newsWords(item)}</span>
      </div>
    )}
  </VirtualList>
)

const keyOf = ({ at, kind, did, ref = '', title }: NewsItem): string => [at, kind, did, ref, title].join(' ')
