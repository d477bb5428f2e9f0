import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { namedBy } from '../../../../../src/analyst/domain/chat/named-by.ts'
import { useAnswer } from '../../../api/queries.ts'
import { classNames } from '../../../kit/class-names.ts'
import { Icon, type IconName } from '../../../kit/icon.tsx'
import { onMenuKeys } from './mention-keys.ts'
import { $insertMention, useNaming, type Naming } from './use-naming.ts'
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
