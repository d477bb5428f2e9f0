import { useNavigate } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Page } from '../../frame/page.tsx'
import { Split } from '../../kit/split.tsx'
import { DocumentView } from './document-view.tsx'
import { FacetBar } from './facet-bar.tsx'
import { readPlace, type MemorySearch } from './memory-address.ts'
import { MemoryTabs } from './memory-tabs.tsx'
import { ResultList } from './result-list.tsx'
import { memoryRoute } from './routes.ts'
import { SearchBox } from './search-box.tsx'
import { useHits, useIsDiary, type Hit } from './use-hits.ts'
import styles from './memory-page.module.css'

/** One search over the whole memory, with the open document beside it. */
export const MemoryPage = () => {
  const project = useProject()
  const search = memoryRoute.useSearch()
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const isDiary = useIsDiary(search)

  const show = useCallback(
    (next: MemorySearch, how: { replace: boolean }) =>
      void navigate({ to: '/$project/memory', params: { project }, search: next, ...how }),
    [navigate, project],
  )
  const ask = useCallback(
    (words: string) => {
      const { at: _at, q: _q, ...rest } = search
      // Typing adds no history entries; opening a document does.
      show(words === '' ? rest : { ...rest, q: words }, { replace: true })
    },
    [search, show],
  )
  const open = (hit: Hit, find: string): void =>
    void navigate({
      to: '/$project/memory/doc/$id',
      params: { project, id: hit.id },
      search: { line: hit.start_line, ...(find !== '' && { find }) },
    })
  const close = (): void => {
    const { at: _at, ...rest } = search
    show(rest, { replace: true })
  }
  useKeys([{ keys: 'escape', does: 'Close the preview', group: 'Memory', run: close }], {
    enabled: search.at !== undefined,
  })
  const place = search.at === undefined ? undefined : readPlace(search.at)
  return (
    <Page title="Memory" layout="fill" views={<MemoryTabs />}>
      <div className={styles.page}>
        <div className={styles.head}>
          <SearchBox
            value={search.q ?? ''}
            onSearch={ask}
            onLeave={() => (list.current?.querySelector<HTMLElement>('[role="listbox"]') ?? list.current)?.focus()}
          />
          <FacetBar search={search} onChange={(next) => show(next, { replace: false })} />
        </div>
        <div className={styles.body} ref={list} tabIndex={-1}>
          <Split
            name="memory"
            listLabel={isDiary ? 'Sessions' : 'Results'}
            list={
              <ResultList
                search={search}
                onOpen={open}
                onPreview={(hit) => show({ ...search, at: `${hit.id}:${hit.start_line}` }, { replace: true })}
                onSearch={(next) => show(next, { replace: false })}
              />
            }
            detail={place && <DocumentView key={place.id} id={place.id} line={place.line} find={search.q ?? ''} />}
            empty={isDiary ? undefined : <FirstResult search={search} />}
            onBack={close}
          />
        </div>
      </div>
    </Page>
  )
}

/** By default the best hit is shown; if there is room for only one pane, the list is shown. */
const FirstResult = ({ search }: { search: MemorySearch }) => {
  const first = useHits(search).data?.pages[0]?.results[0]
  if (first === undefined) return null
  return <DocumentView key={first.id} id={first.id} line={first.start_line} find={search.q ?? ''} />
}
