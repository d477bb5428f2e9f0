import { useRef } from 'react'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Icon } from '../../kit/icon.tsx'
import { Keys } from '../../kit/keys.tsx'
import { useTyped } from '../../kit/use-typed.ts'
import styles from './search-box.module.css'

interface Props {
  readonly value: string
  readonly onSearch: (words: string) => void
  /** Called on Down, to move into the list. */
  readonly onLeave: () => void
}

// A shorter pause would start searches for a fast typist's unfinished words.
const PAUSE_MS = 90

/** Search field over the whole memory. Searches while typing. */
export const SearchBox = ({ value, onSearch, onLeave }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const { text, type, flush } = useTyped(value, onSearch, PAUSE_MS)
  useKeys([{ keys: '/', does: 'Search memory', group: 'Memory', run: () => input.current?.select() }])
  return (
    <search className={styles.box}>
      <Icon name="search" />
      <input
        ref={input}
        className={styles.input}
        type="search"
        aria-label="Search sessions, notes, decisions, documents and code"
        placeholder="Search sessions, notes, decisions, documents and code"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault()
            flush()
            onLeave()
          }
          if (event.key === 'Escape' && text === '') event.currentTarget.blur()
        }}
      />
      <Keys of="/" />
    </search>
  )
}
