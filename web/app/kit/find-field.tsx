import type { KeyboardEvent, RefObject } from 'react'
import { TextField } from './field.tsx'
import { useTyped } from './use-typed.ts'

interface Props {
  /** Its accessible name, and by default its placeholder. */
  readonly label: string
  readonly placeholder?: string
  /** May follow late, e.g. if it is in the URL. */
  readonly value: string
  /** Called with the trimmed text when typing pauses. */
  readonly onChange: (words: string) => void
  readonly ref?: RefObject<HTMLInputElement | null>
}

const PAUSE_MS = 100

/** Filters a list. Down and Enter move into the list; Escape first clears the text, then moves into the list. */
export const FindField = ({ label, placeholder = label, value, onChange, ref }: Props) => {
  const { text, type, flush } = useTyped(value, onChange, PAUSE_MS)
  return (
    <TextField
      {...(ref && { ref })}
      type="search"
      label={label}
      hideLabel
      placeholder={placeholder}
      value={text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || !['ArrowDown', 'Enter', 'Escape'].includes(event.key)) return
        event.preventDefault()
        event.stopPropagation()
        if (event.key === 'Escape' && text !== '') return type('')
        flush()
        intoList(event)
      }}
    />
  )
}

function intoList({ currentTarget: field }: KeyboardEvent<HTMLElement>): void {
  const list = field.closest('section')?.querySelector<HTMLElement>('[role="listbox"], [role="grid"], [role="tree"]')
  if (list) list.focus()
  else field.blur()
}
