import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { TOUCH } from '../../../frame/preferences/use-row-height.ts'
import { useIsTouch } from '../../../frame/use-media.ts'
import type { TreeNode } from './file-tree.ts'
import { closedKey, leadingTo, treeRows, type TreeRow } from './tree-rows.ts'

export interface TreeViewProps {
  readonly nodes: readonly TreeNode[]
  readonly words: string
  /** Path of the item shown beside the tree. */
  readonly shown: string
  readonly onShow: (node: TreeNode) => void
}

/** The rows of a tree, the active one, and what keys and clicks do. */
export function useTree({ nodes, words, shown, onShow }: TreeViewProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(firstOpen(nodes)))
  const [active, setActive] = useState(shown)
  const rows = useMemo(() => treeRows(nodes, open, words), [nodes, open, words])
  const found = rows.findIndex(({ node }) => node.path === active)
  const at = Math.max(0, found)
  const scroller = useRef<HTMLDivElement>(null)
  const height = useIsTouch() ? TOUCH : ROW
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]!.node.path,
    overscan: 10,
  })
  const typed = useTyped()
  const reveal = useEffectEvent((path: string) => {
    const way = leadingTo(nodes, path)
    if (way.some((one) => !open.has(one))) setOpen(new Set([...open, ...way]))
    setActive(path)
  })
  useEffect(() => {
    if (shown !== '') reveal(shown)
  }, [shown])
  const scrollTo = useEffectEvent((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }))
  useEffect(() => {
    if (found >= 0) scrollTo(found)
  }, [found])
  const toggle = (index: number, isOpen: boolean): void => {
    const { path } = rows[index]!.node
    const next = new Set(open)
    if (isOpen) next.add(path).delete(closedKey(path))
    else next.add(closedKey(path)).delete(path)
    setOpen(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const deed = treeDeed(event.key, rows, at, PAGE)
    const to = deed === undefined && /^\S$/u.test(event.key) ? typedAhead(rows, at, typed(event.key)) : undefined
    if (deed === undefined && to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (deed?.kind === 'open' || deed?.kind === 'close') toggle(deed.at, deed.kind === 'open')
    else if (deed?.kind === 'show') choose(deed.at)
    else setActive(rows[to ?? (deed as { to: number }).to]!.node.path)
  }
  const choose = (index: number): void => {
    const row = rows[index]!
    setActive(row.node.path)
    if (row.node.kind === 'folder') toggle(index, !row.isOpen)
    else onShow(row.node)
  }
  return { rows, at, scroller, virtualizer, onKeyDown, choose, toggle }
}

const ROW = 32
const PAGE = 15
const WAITS_MS = 700

/** Collects the text typed without a pause. */
function useTyped(): (key: string) => string {
  const kept = useRef({ text: '', at: 0 })
  return (key) => {
    const now = Date.now()
    kept.current = { text: now - kept.current.at > WAITS_MS ? key : kept.current.text + key, at: now }
    return kept.current.text
  }
}

/** Folders opened at first, so that the tables of a small context are visible at once. */
function firstOpen(nodes: readonly TreeNode[]): readonly string[] {
  const databases = nodes.filter(({ path, kind }) => kind === 'folder' && path.startsWith('databases'))
  return databases.flatMap((node) => [
    node.path,
    ...(node.children.length <= 3 ? node.children.filter(({ kind }) => kind === 'folder').map(({ path }) => path) : []),
  ])
}

type TreeDeed =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'open' | 'close' | 'show'; readonly at: number }

/** Action of a key in a tree, following the ARIA tree pattern. Undefined for other keys. */
export function treeDeed(key: string, rows: readonly TreeRow[], at: number, page: number): TreeDeed | undefined {
  const row = rows[at]
  const last = rows.length - 1
  if (row === undefined) return undefined
  const move = (to: number): TreeDeed => ({ kind: 'move', to: Math.max(0, Math.min(last, to)) })
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return move(at + 1)
    case 'ArrowUp':
    case 'k':
      return move(at - 1)
    case 'Home':
      return move(0)
    case 'End':
      return move(last)
    case 'PageDown':
      return move(at + page)
    case 'PageUp':
      return move(at - page)
    case 'ArrowRight':
      if (row.node.children.length === 0) return undefined
      return row.isOpen ? move(at + 1) : { kind: 'open', at }
    case 'ArrowLeft':
      if (row.isOpen) return { kind: 'close', at }
      return row.parent < 0 ? undefined : move(row.parent)
    case 'Enter':
      return { kind: 'show', at }
    default:
      return undefined
  }
}

/** The next row with the typed prefix; the active row is included while typing continues. */
export function typedAhead(rows: readonly TreeRow[], at: number, typed: string): number | undefined {
  const wanted = typed.toLowerCase()
  const isRepeated = [...wanted].every((letter) => letter === wanted[0])
  const start = wanted.length === 1 || isRepeated ? at + 1 : at
  const begins = isRepeated ? wanted[0]! : wanted
  for (let i = 0; i < rows.length; i++) {
    const to = (start + i) % rows.length
    if (rows[to]!.node.label.toLowerCase().startsWith(begins)) return to
  }
  return undefined
}
