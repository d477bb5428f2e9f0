import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext'
import {
  COMMAND_PRIORITY_HIGH,
  KEY_ARROW_DOWN_COMMAND,
  KEY_ARROW_UP_COMMAND,
  KEY_ENTER_COMMAND,
  KEY_ESCAPE_COMMAND,
  KEY_TAB_COMMAND,
  $createTextNode,
  $getNodeByKey,
  $getSelection,
  $isRangeSelection,
  $isTextNode,
  type LexicalCommand,
  type LexicalEditor,
} from 'lexical'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { namedBy } from '../../../../../src/analyst/domain/chat/named-by.ts'
import { useAnswer } from '../../../api/queries.ts'
import { classNames } from '../../../kit/class-names.ts'
import { Icon, type IconName } from '../../../kit/icon.tsx'
import { $createMention, $isMention } from './mention-node.ts'
import { namingAt } from './split-mentions.ts'
import css from './mention-menu.module.css'

export interface MenuState {
  readonly id: string
  readonly active: string | undefined
}

// As many as can be read at a glance; typing narrows them.
const MOST = 12

/** Mentions at the cursor: tables, stories and documents after @, skills after /. */
export const MentionMenu = ({ onState }: { onState: (state: MenuState | undefined) => void }) => {
  const [editor] = useLexicalComposerContext()
  const { naming, dismiss } = useNaming(editor)
  const id = useId()
  const found = useFound(naming)
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, Math.max(0, found.length - 1))
  const isOpen = naming !== undefined && found.length > 0
  const tell = useEffectEvent(onState)
  useEffect(() => {
    tell(isOpen ? { id, active: `${id}-${at}` } : undefined)
  }, [isOpen, id, at])
  const take = (index: number): void => {
    const mention = found[index]?.mention
    if (mention === undefined || naming === undefined) return
    editor.update(() => $insertMention(mention, naming))
    setChosen(0)
  }
  const act = useEffectEvent((deed: 'next' | 'previous' | 'take' | 'leave'): boolean => {
    if (!isOpen) return false
    if (deed === 'take') take(at)
    else if (deed === 'leave') dismiss()
    else setChosen((at + (deed === 'next' ? 1 : found.length - 1)) % found.length)
    return true
  })
  useEffect(() => onMenuKeys(editor, (deed) => act(deed)), [editor])
  if (!isOpen) return null
  return (
    <ul
      id={id}
      className={css.menu}
      role="listbox"
      aria-label={naming.sign === '@' ? 'Tables and documents' : 'Skills'}
    >
      {found.map((one, index) => (
        <li
          key={one.mention}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          className={classNames(css.one, index === at && css.active)}
          onPointerMove={() => setChosen(index)}
          // Keeps the focus in the field.
          onMouseDown={(event) => {
            event.preventDefault()
            take(index)
          }}
        >
          <Icon name={ICONS[one.kind]} size={14} />
          <span className={css.name}>{one.name}</span>
          {one.about !== undefined && <span className={css.about}>{one.about}</span>}
        </li>
      ))}
    </ul>
  )
}

function useFound(naming: Naming | undefined) {
  const kinds = naming?.sign === '/' ? (['skill'] as const) : (['table', 'story', 'document'] as const)
  const words = naming === undefined || naming.words === '' ? [] : [naming.words]
  const { data } = useAnswer(
    'mentions',
    { words, kinds: [...kinds], limit: MOST },
    { enabled: naming !== undefined, keep: true },
  )
  if (naming === undefined || data === undefined) return []
  // Results for fewer letters, or for the other sign, are filtered here until the response arrives.
  const ofSign = data.mentions.filter(({ mention }) => mention.startsWith(naming.sign))
  return namedBy(ofSign, words)
}

const ICONS: Readonly<Record<'table' | 'story' | 'document' | 'skill', IconName>> = {
  table: 'table',
  story: 'stories',
  document: 'file',
  skill: 'code',
}

type Deed = 'next' | 'previous' | 'take' | 'leave'

const KEYS: readonly (readonly [LexicalCommand<KeyboardEvent | null>, Deed])[] = [
  [KEY_ARROW_DOWN_COMMAND as LexicalCommand<KeyboardEvent | null>, 'next'],
  [KEY_ARROW_UP_COMMAND as LexicalCommand<KeyboardEvent | null>, 'previous'],
  [KEY_ENTER_COMMAND, 'take'],
  [KEY_TAB_COMMAND as LexicalCommand<KeyboardEvent | null>, 'take'],
  [KEY_ESCAPE_COMMAND as LexicalCommand<KeyboardEvent | null>, 'leave'],
]

/** Handles keys of a menu below the field before the field does; `act` returns whether it handled the key. */
function onMenuKeys(editor: LexicalEditor, act: (deed: Deed) => boolean): () => void {
  const offs = KEYS.map(([command, deed]) =>
    editor.registerCommand(
      command,
      (event) => {
        if (event?.isComposing === true || (deed === 'take' && event?.shiftKey === true) || !act(deed)) return false
        event?.preventDefault()
        event?.stopPropagation()
        return true
      },
      COMMAND_PRIORITY_HIGH,
    ),
  )
  return () => offs.forEach((off) => off())
}

/** The mention being typed, and its position. */
interface Naming {
  readonly sign: '@' | '/'
  readonly words: string
  readonly node: string
  readonly from: number
  readonly to: number
}

function useNaming(editor: LexicalEditor): {
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
function $insertMention(mention: string, { node: key, from, to }: Naming): void {
  const node = $getNodeByKey(key)
  if (!$isTextNode(node)) return
  const [first, second] = node.splitText(from, to)
  const typed = from === 0 ? first : second
  const space = $createTextNode(' ')
  typed?.replace($createMention(mention)).insertAfter(space)
  space.select(1, 1)
}
