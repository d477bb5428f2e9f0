import { useId } from 'react'
import { classNames } from '../../../kit/class-names.ts'
import { Icon, type IconName } from '../../../kit/icon.tsx'
import type { TreeRow } from './tree-rows.ts'
import { useTree, type TreeViewProps } from './use-tree.ts'
import styles from './tree-view.module.css'

/** A tree of any size: only visible rows are rendered, and the tree itself keeps the focus. */
export const TreeView = (props: TreeViewProps) => {
  const id = useId()
  const { rows, at, scroller, virtualizer, onKeyDown, choose, toggle } = useTree(props)
  if (rows.length === 0)
    return <p className={styles.none}>{props.words === '' ? 'No files yet.' : 'No files match.'}</p>
  const items = virtualizer.getVirtualItems()
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Files"
      tabIndex={0}
      className={styles.tree}
      aria-activedescendant={items.some(({ index }) => index === at) ? `${id}-${at}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={styles.whole} style={{ blockSize: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start, size }) => (
          <Row
            key={key}
            id={`${id}-${index}`}
            row={rows[index]!}
            isActive={index === at}
            isShown={rows[index]!.node.path === props.shown}
            place={{ transform: `translateY(${start}px)`, blockSize: size }}
            onChoose={() => choose(index)}
            onToggle={(isOpen) => toggle(index, isOpen)}
          />
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly row: TreeRow
  readonly isActive: boolean
  readonly isShown: boolean
  readonly place: { readonly transform: string; readonly blockSize: number }
  readonly onChoose: () => void
  readonly onToggle: (isOpen: boolean) => void
}

const Row = ({ id, row, isActive, isShown, place, onChoose, onToggle }: RowProps) => {
  const { node, level, isOpen, position, size } = row
  const hasChildren = node.children.length > 0
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-selected={isShown}
      {...(hasChildren && { 'aria-expanded': isOpen })}
      className={classNames(styles.row, isActive && styles.active, isShown && styles.shown)}
      style={{ ...place, '--level': level }}
      onClick={onChoose}
    >
      <span
        className={styles.twist}
        aria-hidden="true"
        onClick={(event) => hasChildren && (event.stopPropagation(), onToggle(!isOpen))}
      >
        {hasChildren && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />}
      </span>
      <Icon name={ICONS[node.kind]} size={14} />
      <span className={styles.label} title={node.path}>
        {node.label}
      </span>
      {node.isStale && <span className={styles.stale}>stale</span>}
      {node.kind === 'folder' && !isOpen && <span className={styles.count}>{node.files}</span>}
    </div>
  )
}

const ICONS = { folder: 'folder', table: 'table', file: 'file' } as const satisfies Record<string, IconName>
