import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { keyPress } from '../../frame/keys/key-press.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { useRowHeight } from '../../frame/preferences/use-row-height.ts'
import { COLUMN, namesWidth } from './names-width.ts'
import { caseFrom, moveInStrip, type StripPlace } from './strip-moves.ts'
import type { CaseRow, StripRow } from './strip-rows.ts'

export const HEAD = 64

interface StripOptions {
  readonly rows: readonly StripRow[]
  readonly columns: number
  onOpen(row: CaseRow, column: number): void
  onCheck(row: CaseRow): void
}

/** Behaviour of the strip: which cells are rendered, which cell is active, and what the keys do. */
export function useStrip({ rows, columns, onOpen, onCheck }: StripOptions) {
  const scroller = useRef<HTMLDivElement>(null)
  const names = namesWidth(useInlineSize(scroller), columns)
  const height = useRowHeight()
  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
    scrollPaddingStart: HEAD,
    paddingStart: HEAD,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns,
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN,
    overscan: 8,
    paddingStart: names,
    scrollPaddingStart: names,
  })
  useEffect(() => down.measure(), [down, height])
  useEffect(() => across.measure(), [across, names])
  // The newest run is at the end, and is the most interesting one.
  const showNewest = useEffectEvent(() => columns > 0 && across.scrollToIndex(columns - 1, { align: 'end' }))
  useEffect(() => void showNewest(), [columns, names])
  const [place, setPlace] = useState<StripPlace>()
  const active = shownPlace(place, rows, columns)
  const act = (key: string): boolean => {
    const row = active && rows[active.row]
    if (row?.kind === 'case' && key === 'enter') onOpen(row, active!.column)
    else if (row?.kind === 'case' && key === 'x') onCheck(row)
    else {
      const range = down.range
      const page = range === null ? 2 : Math.max(2, range.endIndex - range.startIndex - 1)
      const first = { row: (caseFrom(rows, 0, 1) ?? 0) - 1, column: columns - 1 }
      const to = moveInStrip(key, active ?? first, { rows, columns, page })
      if (to === undefined) return false
      setPlace(to)
      down.scrollToIndex(to.row, { align: 'auto' })
      if (to.column !== active?.column && columns > 0) across.scrollToIndex(to.column, { align: 'auto' })
    }
    return true
  }
  const bind = (keys: string, does: string) => ({
    keys,
    does,
    group: 'Test runs',
    run: () => {
      scroller.current?.focus({ preventScroll: true })
      act(keys)
    },
  })
  useKeys([
    bind('j', 'Next case'),
    bind('k', 'Previous case'),
    bind('h', 'Earlier run'),
    bind('l', 'Later run'),
    bind('enter', 'Open the case in that run'),
    bind('x', 'Select the case'),
  ])
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = keyPress(event)
    if (key !== undefined && event.target === scroller.current && act(key)) event.preventDefault()
  }
  return { scroller, names, down, across, active, setPlace, onKeyDown, height }
}

/** Width of an element, as it changes. */
function useInlineSize(element: RefObject<HTMLElement | null>): number {
  const [size, setSize] = useState(0)
  useLayoutEffect(() => {
    const watched = element.current!
    setSize(watched.clientWidth)
    const observer = new ResizeObserver(() => setSize(watched.clientWidth))
    observer.observe(watched)
    return () => observer.disconnect()
  }, [element])
  return size
}

/** Clamps the active cell, because the number of rows and runs changes. */
function shownPlace(place: StripPlace | undefined, rows: readonly StripRow[], columns: number): StripPlace | undefined {
  if (place === undefined || rows.length === 0) return undefined
  const row = Math.min(place.row, rows.length - 1)
  return { row, column: Math.max(0, Math.min(place.column, columns - 1)) }
}
