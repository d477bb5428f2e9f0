import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { dayHeading, useSessionFacts } from './diary.ts'
import { readPlace, type MemorySearch } from './memory-address.ts'
import { NothingFound } from './nothing-found.tsx'
import { ResultRow } from './result-row.tsx'
import { SearchFoot } from './search-foot.tsx'
import { useHits, useIsDiary, type Hit } from './use-hits.ts'
import styles from './result-list.module.css'

interface Props {
  readonly search: MemorySearch
  readonly onOpen: (hit: Hit, question: string) => void
  readonly onPreview: (hit: Hit) => void
  readonly onSearch: (search: MemorySearch) => void
}

/** The hits of a search as one endless list. */
export const ResultList = ({ search, onOpen, onPreview, onSearch }: Props) => {
  const { data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useHits(search)
  const isDiary = useIsDiary(search)
  const factsOf = useSessionFacts(isDiary, data?.pages.reduce((sum, { results }) => sum + results.length, 0) ?? 0)
  if (isPending) return <Skeleton rows={9} label="Searching" />
  const pages = data?.pages ?? []
  const [first] = pages
  if (error !== null && first === undefined) return <FaultNote fault={error} again={() => void refetch()} />
  const hits = pages.flatMap(({ results }) => results)
  const question = first?.query ?? ''
  if (first === undefined || hits.length === 0)
    return <NothingFound search={search} notes={first?.notes ?? []} onSearch={onSearch} />
  // The same place on every row says nothing.
  const isOnePlace = new Set(hits.map(({ of }) => of)).size === 1
  const more = (): void => void (hasNextPage && !isFetchingNextPage && !isPlaceholderData && fetchNextPage())
  return (
    <div className={styles.list} data-stale={isPlaceholderData || undefined}>
      {error !== null && <FaultNote fault={error} again={() => void refetch()} />}
      <VirtualList
        label={isDiary ? 'Sessions by day' : 'Results'}
        items={hits}
        total={hits.length + (hasNextPage ? 1 : 0)}
        keyOf={({ id }) => id}
        rowHeight="measured"
        estimate={104}
        open={search.at === undefined ? undefined : readPlace(search.at).id}
        onOpen={(hit) => onOpen(hit, question)}
        onPreview={onPreview}
        onMissing={more}
        isMain
      >
        {(hit, { index }) =>
          isDiary ? (
            <ResultRow
              hit={hit}
              question=""
              day={dayHeading(hits, index)}
              done={factsOf(hit)}
              isPlaceShown={!isOnePlace}
              isInDiary
            />
          ) : (
            <ResultRow hit={hit} question={question} isPlaceShown={!isOnePlace} />
          )
        }
      </VirtualList>
      <SearchFoot
        page={first}
        asked={search.q ?? ''}
        hits={hits.length}
        hasMore={hasNextPage}
        noun={isDiary ? 'session' : 'document'}
      />
    </div>
  )
}
