import { useEffect, useRef } from 'react'
import { Icon } from '../../kit/icon.tsx'
import { Keys } from '../../kit/keys.tsx'
import type { PaletteEntry } from './palette-entry.ts'
import type { PaletteGroup } from './use-entries.ts'
import styles from './palette.module.css'

interface Props {
  readonly id: string
  readonly groups: readonly PaletteGroup[]
  readonly active: string | undefined
  readonly onPoint: (id: string) => void
  readonly onRun: (entry: PaletteEntry) => void
}

export const PaletteList = ({ id, groups, active, ...rest }: Props) => {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label="Results">
      {groups.map(({ name, entries }) => (
        <div key={name} role="group" aria-label={name}>
          {groups.length > 1 && (
            <div className={styles.group} aria-hidden="true">
              {name}
            </div>
          )}
          {entries.map((entry) => (
            <Entry
              key={entry.id}
              id={`${id}-${entry.id}`}
              entry={entry}
              isActive={entry.id === active}
              // The kind is redundant below a heading.
              hasKind={groups.length === 1}
              {...rest}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

const Entry = ({
  id,
  entry,
  isActive,
  hasKind,
  onPoint,
  onRun,
}: Pick<Props, 'id' | 'onPoint' | 'onRun'> & { entry: PaletteEntry; isActive: boolean; hasKind: boolean }) => (
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    className={styles.entry}
    // Not on enter: scrolling the list under a resting pointer would change the selection.
    onPointerMove={() => !isActive && onPoint(entry.id)}
    onClick={() => onRun(entry)}
  >
    <Icon name={entry.icon} />
    <span className={styles.title}>{entry.title}</span>
    {entry.aside !== undefined && <span className={styles.aside}>{entry.aside}</span>}
    {hasKind && entry.kind !== undefined && <span className={styles.kind}>{entry.kind}</span>}
    {entry.keys !== undefined && (
      <span aria-hidden="true">
        <Keys of={entry.keys} />
      </span>
    )}
  </div>
)
