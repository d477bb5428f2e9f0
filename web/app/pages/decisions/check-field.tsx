import { useNavigate } from '@tanstack/react-router'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { useProject } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Icon } from '../../kit/icon.tsx'
import { Keys } from '../../kit/keys.tsx'
import { useTyped } from '../../kit/use-typed.ts'
import { usePropose } from './propose-button.tsx'
import type { DecisionSearch } from './search.ts'
import { numberOf, useCheck } from './use-check.ts'
import { useSetSearch } from './use-set-search.ts'
import { VerdictPanel } from './verdict-panel.tsx'
import styles from './check-field.module.css'

// The URL follows the typed text, but is not updated on every keystroke.
const ADDRESS_MS = 400

/** Search and check in one: checks the typed text against decisions when typing pauses. */
export const CheckField = ({ search }: { search: DecisionSearch }) => {
  const id = useId()
  const project = useProject()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const set = useSetSearch()
  const { text: typed, type: setTyped } = useTyped(
    search.q ?? '',
    (q) => set({ q: q === '' ? undefined : q }, { replace: true }),
    ADDRESS_MS,
  )
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const told = useCheck(typed, search)
  const propose = usePropose({ ...search, ...(typed.trim() !== '' && { q: typed.trim() }) })
  const numbers = [...told.related.map((hit) => numberOf(hit.id)), ...told.found.map(({ number }) => number)]
  const shown = isOpen && told.enabled
  const open = (number: number): void => {
    setOpen(false)
    field.current?.blur()
    void navigate({ to: '/$project/decisions/$id', params: { project, id: String(number) }, search })
  }
  const press = (event: KeyboardEvent): void => {
    const deed = fieldDeed(event.key, { active, count: shown ? numbers.length : 0, isOpen: shown })
    if (deed === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (typeof deed === 'number') setActive(deed)
    else if (deed === 'open') open(numbers[active]!)
    else if (deed === 'show') setOpen(true)
    else if (deed === 'clear') setTyped('')
    else setOpen(false)
  }
  useKeys([{ keys: '/', does: 'Search or check', group: 'Decisions', run: () => field.current?.select() }])
  return (
    <search
      className={styles.whole}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      <label className="visually-hidden" htmlFor={id}>
        Search decisions or check an approach
      </label>
      <span className={styles.icon}>
        <Icon name="search" />
      </span>
      <input
        ref={field}
        id={id}
        className={styles.field}
        value={typed}
        placeholder="Search, or describe an approach to check it"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={5_000}
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}-hits`}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${id}-hit-${active}` : undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(-1)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={press}
      />
      <span className={styles.key}>
        <Keys of="/" />
      </span>
      {shown && <VerdictPanel {...{ id, told, active, onOpen: open, onPropose: propose, typed: typed.trim() }} />}
    </search>
  )
}

type FieldDeed = number | 'open' | 'show' | 'clear' | 'close'

interface Standing {
  readonly active: number
  readonly count: number
  readonly isOpen: boolean
}

/**
 * Action of a key in the field: arrows move through the hits, Enter opens one, Escape first closes the list, then
 * clears the text.
 */
function fieldDeed(key: string, { active, count, isOpen }: Standing): FieldDeed | undefined {
  if (key === 'ArrowDown') return count === 0 ? 'show' : Math.min(count - 1, active + 1)
  if (key === 'ArrowUp') return count === 0 ? undefined : Math.max(-1, active - 1)
  if (key === 'Enter') return active >= 0 && isOpen ? 'open' : 'close'
  if (key === 'Escape') return isOpen ? 'close' : 'clear'
  return undefined
}
