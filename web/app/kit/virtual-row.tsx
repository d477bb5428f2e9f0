import type { MouseEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import type { RowState } from './virtual-list.tsx'
import styles from './virtual-list.module.css'

interface Props {
  readonly id: string
  readonly semantics: 'listbox' | 'grid'
  readonly state: RowState
  readonly hasChecks: boolean
  readonly total: number
  readonly start: number
  readonly height: number | undefined
  readonly measure?: (element: Element | null) => void
  readonly onClick: (event: MouseEvent) => void
  readonly children: ReactNode
}

export const VirtualRow = ({ id, semantics, state, hasChecks, total, start, height, measure, ...rest }: Props) => {
  const { index, isActive, isOpen, isChecked } = state
  const isSelected = hasChecks ? isChecked : isOpen
  const spoken =
    semantics === 'listbox'
      ? ({ role: 'option', 'aria-setsize': total, 'aria-posinset': index + 1 } as const)
      : ({ role: 'row', 'aria-rowindex': index + 1 } as const)
  return (
    <div
      id={id}
      ref={measure}
      data-index={index}
      {...spoken}
      aria-selected={isSelected}
      aria-current={isOpen || undefined}
      className={classNames(styles.row, isActive && styles.active, isOpen && styles.open, isChecked && styles.checked)}
      style={{ transform: `translateY(${start}px)`, ...(height !== undefined && { blockSize: height }) }}
      onClick={rest.onClick}
    >
      {semantics === 'grid' ? (
        <div role="gridcell" className={styles.cell}>
          {rest.children}
        </div>
      ) : (
        rest.children
      )}
    </div>
  )
}
