import { memo, useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { useVirtualList } from './use-virtual-list.ts'
import styles from './virtual-list.module.css'

interface RowState {
  readonly index: number
  readonly isActive: boolean
  /** Whether the item is displayed next to the list. */
  readonly isOpen: boolean
  readonly isChecked: boolean
}

export interface VirtualListProps<T> {
  /** Content of the list, for screen readers: `Decisions`. */
  readonly label: string
  /** All rows, or those loaded so far: `total` is the number of all rows. */
  readonly items: readonly T[]
  readonly total?: number
  readonly keyOf: (item: T) => string
  readonly children: (item: T, state: RowState) => ReactNode
  /** In pixels; `measured` if rows differ. Default: the height chosen in the settings. */
  readonly rowHeight?: number | 'measured'
  /** Assumed height of a measured row before it is rendered. */
  readonly estimate?: number
  /** Key of the row shown beside the list, from the URL. */
  readonly open?: string | undefined
  readonly onOpen: (item: T) => void
  /** Called as the reader moves through the list, for a pane that follows it. */
  readonly onActive?: (item: T) => void
  readonly onPreview?: (item: T) => void
  readonly checked?: ReadonlySet<string>
  readonly onCheck?: (item: T) => void
  readonly onCheckAll?: () => void
  /** Called when rows that are not loaded become visible. */
  readonly onMissing?: (first: number, last: number) => void
  /** Whether the list's keys work on the whole page, not only with the focus in the list. At most one list per page. */
  readonly isMain?: boolean
  /** `grid` if rows contain buttons or links, which a listbox may not. */
  readonly semantics?: 'listbox' | 'grid'
}

/** A list of any length. Only visible rows are rendered; the list keeps the focus and announces the active row. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, items, keyOf, open, checked, onCheck, total = items.length, semantics = 'listbox' } = props
  const id = useId()
  const { scroller, virtualizer, active, isMeasured, onKeyDown, onClick } = useVirtualList(props)
  const rows = virtualizer.getVirtualItems()
  return (
    <div
      ref={scroller}
      className={styles.list}
      role={semantics}
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={rows.some(({ index }) => index === active) ? `${id}-${active}` : undefined}
      aria-multiselectable={onCheck ? true : undefined}
      {...(semantics === 'grid' && { 'aria-rowcount': total })}
      onKeyDown={onKeyDown}
    >
      <div
        role="presentation"
        className={styles.whole}
        style={{ blockSize: virtualizer.getTotalSize() }}
        onClick={onClick}
      >
        {rows.map(({ index, key: rowKey, start, size }) => {
          const item = items[index]
          const key = item === undefined ? undefined : keyOf(item)
          return (
            <VirtualRow
              key={rowKey}
              id={`${id}-${index}`}
              {...{ semantics, item, index, total, start }}
              isActive={index === active}
              isOpen={key !== undefined && key === open}
              isChecked={key !== undefined && (checked?.has(key) ?? false)}
              hasChecks={onCheck !== undefined}
              height={isMeasured ? undefined : size}
              measure={isMeasured ? virtualizer.measureElement : undefined}
              render={props.children}
            />
          )
        })}
      </div>
    </div>
  )
}

interface Props<T> extends RowState {
  readonly id: string
  readonly semantics: 'listbox' | 'grid'
  readonly item: T | undefined
  readonly hasChecks: boolean
  readonly total: number
  readonly start: number
  readonly height: number | undefined
  readonly measure: ((element: Element | null) => void) | undefined
  readonly render: (item: T, state: RowState) => ReactNode
}

/** Rendered again only if one of its properties changes: in a scroll, only rows that come into view. */
const VirtualRow = memo(function VirtualRow<T>(props: Props<T>) {
  const { id, semantics, item, hasChecks, total, start, height, measure, render } = props
  const { index, isActive, isOpen, isChecked } = props
  const isSelected = hasChecks ? isChecked : isOpen
  const spoken =
    semantics === 'listbox'
      ? ({ role: 'option', 'aria-setsize': total, 'aria-posinset': index + 1 } as const)
      : ({ role: 'row', 'aria-rowindex': index + 1 } as const)
  const content =
    item === undefined ? <span className={styles.coming} /> : render(item, { index, isActive, isOpen, isChecked })
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
    >
      {semantics === 'grid' ? (
        <div role="gridcell" className={styles.cell}>
          {content}
        </div>
      ) : (
        content
      )}
    </div>
  )
}) as <T>(props: Props<T>) => ReactNode
