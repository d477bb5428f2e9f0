import { useRef } from 'react'
import { useKeys } from '../../../frame/keys/use-keys.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icon.tsx'
import styles from './find-bar.module.css'

interface Props {
  readonly words: string
  readonly hits: readonly number[]
  /** Position of the current hit. */
  readonly at: number
  readonly isMain: boolean
  readonly onFind: (words: string) => void
  readonly onStep: (by: 1 | -1) => void
}

/** Finds words in the open document, and steps through the hits. */
export const FindBar = ({ words, hits, at, isMain, onFind, onStep }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  useKeys(
    [
      { keys: 'n', does: 'Next hit', group: 'Reading', run: () => onStep(1) },
      { keys: 'shift+n', does: 'Previous hit', group: 'Reading', run: () => onStep(-1) },
      { keys: '/', does: 'Find in this document', group: 'Reading', run: () => input.current?.select() },
    ],
    { enabled: isMain },
  )
  const place = hits.indexOf(at)
  return (
    <search className={styles.bar}>
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label="Find in this document"
        placeholder="Find in this document"
        value={words}
        maxLength={500}
        onChange={(event) => onFind(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <span className={styles.count} role="status">
        {words.trim() === '' ? '' : hits.length === 0 ? 'no hit' : `${place < 0 ? '–' : place + 1} of ${hits.length}`}
      </span>
      <IconButton size="small" icon="chevron-up" label="Previous hit" title="Previous hit" onClick={() => onStep(-1)} />
      <IconButton size="small" icon="chevron-down" label="Next hit" title="Next hit" onClick={() => onStep(1)} />
    </search>
  )
}
