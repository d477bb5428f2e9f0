import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { keyPress } from '../frame/keys/key-press.ts'
import { useKeys } from '../frame/keys/use-keys.ts'
import { useRowHeight } from '../frame/preferences/use-row-height.ts'
import { listDeed } from './list-keys.ts'
import type { VirtualListProps } from './virtual-list.tsx'

// Rows rendered above and below the visible ones, so that a quick scroll shows no gaps.
const BESIDE = 8
const USUAL_HEIGHT = 72

/** Behaviour of a virtual list: which rows are rendered, which one is active, and what keys and clicks do. */
export function useVirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, open, onOpen, onActive, onPreview, onCheck, onCheckAll, total = items.length } = props
  const chosenHeight = useRowHeight()
  const height = props.rowHeight ?? chosenHeight
  const isMeasured = height === 'measured'
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useActiveRow({ items, keyOf, open })
  // Another function makes the virtualizer read the keys and heights of all rows again: needed for another height, but
  // not in every frame of a scroll.
  const getItemKey = useCallback(
    (index: number) => (items[index] === undefined ? index : keyOf(items[index])),
    [items, keyOf, height],
  )
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isMeasured ? (props.estimate ?? USUAL_HEIGHT) : height),
    getItemKey,
    overscan: BESIDE,
  })
  const goTo = (index: number): void => {
    setActive(index)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    const item = items[index]
    if (item !== undefined) onActive?.(item)
  }
  const act = (key: string): boolean => {
    const { range } = virtualizer
    const page = range === null ? 2 : Math.max(2, range.endIndex - range.startIndex)
    const deed = listDeed(key, { at: active, count: total, page })
    const item = items[active]
    if (deed?.kind === 'move') goTo(deed.to)
    else if (deed?.kind === 'check-all' && onCheckAll) onCheckAll()
    else if (item === undefined) return false
    else if (deed?.kind === 'open') onOpen(item)
    else if (deed?.kind === 'preview') (onPreview ?? onOpen)(item)
    else if (deed?.kind === 'check' && onCheck) onCheck(item)
    else return false
    return true
  }
  useListKeys({
    enabled: props.isMain ?? false,
    act,
    label: props.label,
    can: { preview: onPreview !== undefined, check: onCheck !== undefined },
    scroller,
  })
  useBringIntoSight({ open, index: active, show: (index) => virtualizer.scrollToIndex(index) })
  useMissing(virtualizer.range, items, props.onMissing)
  return {
    scroller,
    virtualizer,
    active,
    isMeasured,
    onKeyDown: (event: KeyboardEvent): void => {
      // A button inside a row has its own keys.
      if (event.target !== event.currentTarget) return
      const key = keyPress(event.nativeEvent)
      if (key !== undefined && act(key)) event.preventDefault()
    },
    onClick: (event: MouseEvent): void => {
      const index = rowOf(event)
      const item = index === undefined ? undefined : items[index]
      if (index === undefined || item === undefined) return
      setActive(index)
      if (onCheck && (event.metaKey || event.ctrlKey || event.shiftKey)) onCheck(item)
      else onOpen(item)
    },
  }
}

/** The row of a click; undefined for a click beside the rows, or in a popup that a row opened. */
function rowOf({ target, currentTarget }: MouseEvent): number | undefined {
  const row = (target as Element).closest<HTMLElement>('[data-index]')
  return row !== null && currentTarget.contains(row) ? Number(row.dataset['index']) : undefined
}

interface Opened {
  readonly open: string | undefined
  readonly index: number
  readonly show: (index: number) => void
}

/** Scrolls to the row in the URL when the URL changes or the row loads, never while the reader scrolls. */
function useBringIntoSight({ open, index, show }: Opened): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (open === shown.current || (open !== undefined && index < 0)) return
    shown.current = open
    if (open !== undefined) show(index)
  })
}

interface Range {
  readonly startIndex: number
  readonly endIndex: number
}

/**
 * Reports visible rows that are not loaded. They may be at the end, or anywhere in a list that loads only visible rows.
 */
function useMissing<T>(
  range: Range | null,
  items: readonly (T | undefined)[],
  onMissing: ((first: number, last: number) => void) | undefined,
): void {
  const [from, to] = [Math.max(0, (range?.startIndex ?? 0) - BESIDE), (range?.endIndex ?? -1) + BESIDE]
  const tell = useEffectEvent((first: number, last: number) => onMissing?.(first, last))
  useEffect(() => {
    if (range === null) return
    const missing = Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((at) => items[at] === undefined)
    if (missing.length > 0) tell(missing[0]!, missing.at(-1)!)
  }, [range, from, to, items])
}

interface Rows<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  readonly open: string | undefined
}

/**
 * The active row. It stays with its item when the list changes, and moves to the row in the URL when the URL changes.
 */
function useActiveRow<T>({ items, keyOf, open }: Rows<T>): readonly [number, (index: number) => void] {
  const [place, setPlace] = useState<{ index: number; key: string | undefined; open: string | undefined }>({
    index: -1,
    key: undefined,
    open: undefined,
  })
  const wanted = open !== undefined && open !== place.open ? open : place.key
  const index = indexOf({ items, keyOf, wanted, near: place.index })
  const set = (to: number): void => {
    const item = items[to]
    setPlace({ index: to, key: item === undefined ? undefined : keyOf(item), open })
  }
  // The URL changed: the reader continues from its row.
  if (open !== place.open && (open === undefined || items[index] !== undefined))
    setPlace({ index, key: open ?? place.key, open })
  return [index, set]
}

function indexOf<T>({
  items,
  keyOf,
  wanted,
  near,
}: Pick<Rows<T>, 'items' | 'keyOf'> & { wanted: string | undefined; near: number }): number {
  const there = items[near]
  // Rows that are not loaded have no key yet.
  if (wanted === undefined || (there !== undefined && keyOf(there) === wanted)) return near
  const found = items.findIndex((item: T | undefined) => item !== undefined && keyOf(item) === wanted)
  return found >= 0 ? found : Math.min(near, items.length - 1)
}

interface ListKeys {
  readonly enabled: boolean
  readonly act: (key: string) => boolean
  readonly label: string
  readonly can: { readonly preview: boolean; readonly check: boolean }
  readonly scroller: RefObject<HTMLElement | null>
}

/** Keys of the main list work wherever the focus is; the first one moves the focus to the list. */
function useListKeys({ enabled, act, label, can, scroller }: ListKeys): void {
  const bind = (keys: string, does: string, unlisted = false) => ({
    keys,
    does,
    group: label,
    unlisted,
    run: () => {
      scroller.current?.focus({ preventScroll: true })
      act(keys)
    },
  })
  useKeys(
    [
      bind('j', 'Next'),
      bind('k', 'Previous'),
      bind('down', 'Next', true),
      bind('up', 'Previous', true),
      bind('enter', 'Open'),
      ...(can.preview ? [bind('space', 'Preview')] : []),
      ...(can.check ? [bind('x', 'Select')] : []),
    ],
    { enabled },
  )
}
