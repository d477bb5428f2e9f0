import { useState } from 'react'
import { DECISION_TRUSTS } from '../../../../src/kernel/domain/trust/trust.ts'
import { CONFIDENCES } from '../../../../src/record/domain/decision/decision.ts'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import type { Counts, SetFilters } from './filter-bar.tsx'
import type { DecisionSearch } from './search.ts'
import { TYPE_OPTIONS } from './words.ts'
import styles from './filter-panel.module.css'

interface Props {
  readonly search: DecisionSearch
  readonly counts: Counts | undefined
  readonly set: SetFilters
}

const ANY = 'any'

/** Type, confidence, trust, governed file, and date range. */
export const FilterPanel = ({ search, counts, set }: Props) => (
  <div className={styles.panel}>
    <Select
      label="Type"
      value={search.type ?? ANY}
      options={[
        { value: ANY, label: 'Any' },
        ...TYPE_OPTIONS.map((one) => ({ ...one, aside: count(counts?.type[one.value]) })),
      ]}
      onChange={(type) => set({ type: type === ANY ? undefined : (type as DecisionSearch['type']) })}
    />
    <Select
      label="Confidence"
      value={search.confidence ?? ANY}
      options={[
        { value: ANY, label: 'Any' },
        ...CONFIDENCES.map((value) => ({ value, label: capital(value), aside: count(counts?.confidence[value]) })),
      ]}
      onChange={(value) => set({ confidence: value === ANY ? undefined : (value as DecisionSearch['confidence']) })}
    />
    <Select
      label="Trust"
      value={search.trust ?? ANY}
      options={[
        { value: ANY, label: 'Any' },
        ...DECISION_TRUSTS.map((value) => ({ value, label: capital(value), aside: count(counts?.trusted[value]) })),
      ]}
      onChange={(value) => set({ trust: value === ANY ? undefined : (value as DecisionSearch['trust']) })}
    />
    <TypedFilter label="Governs" placeholder="src/cache.ts" value={search.file} onSet={(file) => set({ file })} />
    <TypedFilter label="From" placeholder="2026-01" value={search.since} onSet={(since) => set({ since })} />
    <TypedFilter label="To" placeholder="2026-12-31" value={search.until} onSet={(until) => set({ until })} />
  </div>
)

interface TypedProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string | undefined
  readonly onSet: (value: string | undefined) => void
}

/** A filter with a text field; takes effect on Enter or blur. */
const TypedFilter = ({ label, placeholder, value, onSet }: TypedProps) => {
  const [typed, setTyped] = useState<string>()
  const done = (): void => {
    if (typed !== undefined && typed.trim() !== (value ?? '')) onSet(typed.trim() === '' ? undefined : typed.trim())
    setTyped(undefined)
  }
  return (
    <TextField
      label={label}
      placeholder={placeholder}
      value={typed ?? value ?? ''}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  )
}

const count = (amount: number | undefined): string => (amount ?? 0).toLocaleString('en')
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
