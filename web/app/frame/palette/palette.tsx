import { Dialog } from '@base-ui/react/dialog'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { Icon } from '../../kit/icon.tsx'
import { Keys } from '../../kit/keys.tsx'
import { usePaused } from '../../kit/use-paused.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { PaletteList } from './palette-list.tsx'
import { closePalette, openPalette } from './palette-state.ts'
import { useEntries } from './use-entries.ts'
import overlay from '../../kit/overlay.module.css'
import styles from './palette.module.css'

// Longer than the gap between two typed letters, and shorter than a noticeable delay.
const PAUSE_MS = 120

/** Finds everything by name: pages, actions, decisions, tables, sessions, chats and recent places. */
export const Palette = ({ typed }: { typed: string }) => {
  const [chosen, setChosen] = useState<string>()
  const { groups, isPending } = useEntries(typed, usePaused(typed, PAUSE_MS))
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const all = groups.flatMap(({ entries }) => entries)
  const at = Math.max(
    0,
    all.findIndex((entry) => entry.id === chosen),
  )
  const run = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return
    closePalette()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moveTo(event, at, all.length)
    if (to !== undefined) setChosen(all[to]?.id)
    // During composition, Enter ends the composition.
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(all[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && closePalette()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={overlay.backdrop} />
        <Dialog.Popup className={styles.palette} initialFocus={input} aria-label="Search or ask">
          <div className={styles.field}>
            <Icon name="search" />
            <input
              ref={input}
              className={styles.input}
              value={typed}
              onChange={(event) => {
                openPalette(event.target.value)
                setChosen(undefined)
              }}
              onKeyDown={onKeyDown}
              placeholder="Search or ask…"
              role="combobox"
              aria-label="Search or ask"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={all[at] && `${id}-${all[at].id}`}
              aria-autocomplete="list"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={2_000}
            />
            <Dialog.Close className={styles.close}>
              <Keys of="escape" />
              <span className={styles.word}>Close</span>
            </Dialog.Close>
          </div>
          <PaletteList id={id} groups={groups} active={all[at]?.id} onPoint={setChosen} onRun={run} />
          <p className="visually-hidden" role="status">
            {isPending ? 'Searching' : `${all.length} found`}
          </p>
          {isPending && <div className={styles.pending} aria-hidden="true" />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Up and down wrap around; Page Up and Page Down move by eight; Home and End stay with the text field. */
function moveTo({ key, ctrlKey }: KeyboardEvent, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown' || (ctrlKey && key === 'n')) return (at + 1) % count
  if (key === 'ArrowUp' || (ctrlKey && key === 'p')) return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(count - 1, at + 8)
  if (key === 'PageUp') return Math.max(0, at - 8)
  return undefined
}
