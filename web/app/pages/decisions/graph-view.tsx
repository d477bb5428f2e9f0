import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { DecisionGraph } from '../../../../src/record/domain/graph/graph.ts'
import { mountGraph, type MountedGraph } from '../../../graph/mount-graph.ts'
import type { Theme } from '../../../graph/theme.ts'
import { useAnswer } from '../../api/queries.ts'
import '../../../graph/style.css'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { graphAddress, graphState } from './graph-address.ts'
import { useOpenDecision } from './list-view.tsx'
import type { DecisionSearch } from './search.ts'
import { useSetSearch } from './use-set-search.ts'
import { counted } from './words.ts'
import styles from './graph-view.module.css'

// About 3 MB with the texts.
const MOST_WITH_TEXTS = 2_000
// The data of 10,000 decisions is 3.1 MB. A hundred thousand dots would be unreadable.
const MOST_DRAWN = 20_000

/** The record as `ken graph` draws it. */
export const GraphView = ({ search }: { search: DecisionSearch }) => {
  const asOf = search.asOf === undefined ? {} : { as_of: search.asOf }
  const { data: head, error } = useAnswer('list_decisions', { limit: 1, include_superseded: true, ...asOf })
  if (error !== null) return <FaultNote fault={error} />
  if (head === undefined) return <Skeleton rows={8} label="Loading the graph" />
  if (head.total > MOST_DRAWN)
    return (
      <p className={styles.calm}>
        {counted(head.total, 'decision')} are too many to draw; the limit is {MOST_DRAWN.toLocaleString('en')}. Use the
        timeline to see all of them. The lineage of a decision is above its title.
      </p>
    )
  return <Drawing search={search} hasTexts={head.total <= MOST_WITH_TEXTS} />
}

const Drawing = ({ search, hasTexts }: { search: DecisionSearch; hasTexts: boolean }) => {
  const asOf = search.asOf === undefined ? {} : { as_of: search.asOf }
  const { data, error, refetch } = useAnswer('graph', {
    output: '-',
    format: 'json',
    include_bodies: hasTexts,
    ...asOf,
  })
  const graph = useMemo(() => (data?.text ? (JSON.parse(data.text) as DecisionGraph) : undefined), [data])
  const place = useMountedGraph(graph, search)
  if (error !== null) return <FaultNote fault={error} again={() => void refetch()} />
  return (
    <div className={styles.whole} aria-busy={graph === undefined}>
      {graph === undefined && <Skeleton rows={8} label="Drawing the graph" />}
      <div ref={place} className={styles.place} />
    </div>
  )
}

/** Keeps one graph mounted in an element; the URL keeps the selection. */
function useMountedGraph(graph: DecisionGraph | undefined, search: DecisionSearch) {
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedGraph>(undefined)
  const open = useOpenDecision(search)
  const set = useSetSearch()
  const onOpen = useEffectEvent((number: number) => open(number))
  const begin = useEffectEvent(() => ({ ...graphState(search.graph), query: search.q ?? '' }))
  const remember = useEffectEvent((address: string) => {
    if (address !== search.graph && mounted.current !== undefined) set({ graph: address }, { replace: true })
  })
  useEffect(() => {
    if (place.current === null || graph === undefined) return
    mounted.current = mountGraph(place.current, graph, {
      embedded: true,
      theme: themeNow(),
      state: begin(),
      onState: (state) => remember(graphAddress(state)),
      onOpen: (number) => onOpen(number),
    })
    const watcher = new MutationObserver(() => mounted.current?.wear(themeNow()))
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      watcher.disconnect()
      mounted.current?.destroy()
      mounted.current = undefined
    }
  }, [graph])
  // The search text fades decisions that do not match.
  const query = search.q ?? ''
  useEffect(() => mounted.current?.show({ query }), [query])
  return place
}

const themeNow = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light')
