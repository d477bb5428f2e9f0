import {
  $createTextNode,
  $getNodeByKey,
  $getSelection,
  $isRangeSelection,
  $isTextNode,
  type LexicalEditor,
} from 'lexical'
import { useEffect, useState } from 'react'
import { $createMention, $isMention } from './mention-node.ts'
import { namingAt } from './split-mentions.ts'

/** The mention being typed, and its position. */
export interface Naming {
  readonly sign: '@' | '/'
  readonly words: string
  readonly node: string
  readonly from: number
  readonly to: number
}

export function useNaming(editor: LexicalEditor): {
  readonly naming: Naming | undefined
  readonly dismiss: () => void
} {
  const [naming, setNaming] = useState<Naming>()
  const [dismissed, setDismissed] = useState<string>()
  useEffect(
    () =>
      editor.registerUpdateListener(({ editorState }) => {
        const found = editorState.read(() => $naming())
        setNaming((before) => (isSame(before, found) ? before : found))
        if (found === undefined) setDismissed(undefined)
      }),
    [editor],
  )
  const key = naming && `${naming.node} ${naming.from}`
  return { naming: key === dismissed ? undefined : naming, dismiss: () => setDismissed(key) }
}

function $naming(): Naming | undefined {
  const selection = $getSelection()
  if (!$isRangeSelection(selection) || !selection.isCollapsed()) return undefined
  const node = selection.anchor.getNode()
  if (!$isTextNode(node) || $isMention(node)) return undefined
  const to = selection.anchor.offset
  const found = namingAt(node.getTextContent().slice(0, to))
  return found && { ...found, node: node.getKey(), to }
}

const isSame = (a: Naming | undefined, b: Naming | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && a.node === b.node && a.from === b.from && a.to === b.to && a.words === b.words)

/** Replaces the typed part with the mention, and adds a space. */
export function $insertMention(mention: string, { node: key, from, to }: Naming): void {
  const node = $getNodeByKey(key)
  if (!$isTextNode(node)) return
  const [first, second] = node.splitText(from, to)
  const typed = from === 0 ? first : second
  const space = $createTextNode(' ')
  typed?.replace($createMention(mention)).insertAfter(space)
  space.select(1, 1)
}
