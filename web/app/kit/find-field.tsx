import type { KeyboardEvent, RefObject } from 'react'
import { TextField } from './field.tsx'

interface Props {
  /** Its accessible name, and its placeholder. */
  readonly label: string
  readonly value: string
  readonly onChange: (words: string) => void
  readonly ref?: RefObject<HTMLInputElement | null>
}

/** Filters a list. Down and Enter move into the list; Escape first clears the text, then moves into the list. */
export const FindField = ({ label, value, onChange, ref }: Props) => (
  <TextField
    {...(ref && { ref })}
    type="search"
    label={label}
    hideLabel
    placeholder={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    onKeyDown={(event) => {
      if (event.nativeEvent.isComposing || !['ArrowDown', 'Enter', 'Escape'].includes(event.key)) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape' && value !== '') onChange('')
      else intoList(event)
    }}
  />
)

function intoList({ currentTarget: field }: KeyboardEvent<HTMLElement>): void {
  const list = field.closest('section')?.querySelector<HTMLElement>('[role="listbox"], [role="grid"], [role="tree"]')
  if (list) list.focus()
  else field.blur()
}
