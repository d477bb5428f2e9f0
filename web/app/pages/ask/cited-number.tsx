import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import type { Citation } from '../../../../src/analyst/domain/chat/part.ts'
import { classNames } from '../../kit/class-names.ts'
import overlay from '../../kit/overlay.module.css'
import css from './cited-number.module.css'

interface Props {
  readonly citation: Citation
  /** Display name of the query that the number is from. */
  readonly name: string | undefined
  /** Whether the number was checked, which happens once the answer is complete. */
  readonly isChecked: boolean
  readonly onCell: (query: string, cell: { readonly column: string; readonly row: number }) => void
  readonly children: ReactNode
}

/** A number in an answer: clicking it shows its cell; a number that no query returned is marked. */
export const CitedNumber = ({ citation, name, isChecked, onCell, children }: Props) => {
  const { state, query, column, row } = citation
  if (query === undefined || (isChecked && state === 'unsourced'))
    return (
      <span className={css.unverified} title="No query returned this number.">
        {children}
        <span className={css.mark}> unverified</span>
      </span>
    )
  return (
    <Base.Root>
      <Base.Trigger
        delay={150}
        render={
          <button
            type="button"
            className={classNames(css.cited, state === 'differs' && css.differs)}
            onClick={() => onCell(query, { column: column ?? '', row: (row ?? 1) - 1 })}
          />
        }
      >
        {children}
        {state === 'differs' && <span className={css.mark}> differs</span>}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={overlay.positioner} side="top" sideOffset={6}>
          <Base.Popup className={css.card}>
            <WhereFrom citation={citation} name={name ?? query} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const WhereFrom = ({ citation, name }: { citation: Citation; name: string }) => {
  const { state, column, row, by, found } = citation
  return (
    <>
      <span className={css.where}>
        {[name, column, row === undefined ? undefined : `row ${row}`, by && OVER[by]].filter(Boolean).join(' · ')}
      </span>
      <span className={state === 'differs' ? css.bad : undefined}>
        {state === 'differs' ? `The cell has ${found ?? 'something else'}.` : state === 'checked' ? 'Checked.' : ''}
      </span>
    </>
  )
}

const OVER: Readonly<Record<NonNullable<Citation['by']>, string>> = {
  sum: 'the sum of all rows',
  min: 'the smallest of all rows',
  max: 'the largest of all rows',
  mean: 'the mean of all rows',
  count: 'the number of rows',
}
