import type { RefObject } from 'react'
import { Button } from '../../kit/button.tsx'
import { FindField } from '../../kit/find-field.tsx'
import { OutcomeMark, SHAPES, type Outcome } from './outcome-mark.tsx'
import type { SearchPart, TestsSearch } from './routes.ts'
import type { StripRow } from './strip-rows.ts'
import styles from './tests-page.module.css'

interface Props {
  readonly ref: RefObject<HTMLInputElement | null>
  readonly search: TestsSearch
  readonly shown: readonly StripRow[]
  readonly checked: ReadonlySet<string>
  readonly look: (part: SearchPart) => void
  readonly uncheck: () => void
}

/** Filters of the cases, and the legend of the shapes. */
export const StripTools = ({ ref, search, shown, checked, look, uncheck }: Props) => (
  <div className={styles.tools}>
    <FindField
      ref={ref}
      label="Search cases"
      placeholder="Name, file, tag or kind"
      value={search.q ?? ''}
      onChange={(q) => look({ q: q === '' ? undefined : q })}
    />
    <Button
      size="small"
      aria-pressed={search.only === 'failing'}
      onClick={() => look({ only: search.only === 'failing' ? undefined : 'failing' })}
    >
      Only failing
    </Button>
    {checked.size > 0 && (
      <Button size="small" look="quiet" onClick={uncheck}>
        Select none
      </Button>
    )}
    <span className="visually-hidden" role="status">
      {shown.filter(({ kind }) => kind === 'case').length} shown
    </span>
    <span className={styles.legend}>
      {(Object.keys(SHAPES) as Outcome[]).map((outcome) => (
        <OutcomeMark key={outcome} outcome={outcome} />
      ))}
    </span>
  </div>
)
