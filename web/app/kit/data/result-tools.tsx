import { cellText } from '../../../../src/context/domain/results/cell-text.ts'
import { useProject } from '../../api/queries.ts'
import { IconButton } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { FaultNote } from '../fault-note.tsx'
import { Menu } from '../menu.tsx'
import { areaOf, tsvOf } from './grid-selection.ts'
import type { ResultCardProps } from './result-card.tsx'
import { useResultFile } from './use-result-file.ts'
import css from './result-card.module.css'

/** Copy, download and run again. */
export function ResultTools(props: ResultCardProps) {
  const { name, sql, onRerun, isRunning = false } = props
  const file = useResultFile(useProject(), props)
  return (
    <div className={css.tools}>
      <CopyButton alone text={sql} label={`Copy the SQL of ${name}`} />
      <Menu
        align="end"
        trigger={<IconButton size="small" icon="download" label={`Download ${name}`} busy={file.isBusy} />}
        entries={[
          { label: 'CSV', icon: 'download', onSelect: () => file.save('csv') },
          { label: 'Parquet', icon: 'download', onSelect: () => file.save('parquet') },
          'line',
          { label: 'Copy rows', icon: 'copy', onSelect: () => file.copy(() => tsvWithNames(props)) },
        ]}
      />
      {onRerun && (
        <IconButton size="small" icon="refresh" label={`Run ${name} again`} busy={isRunning} onClick={onRerun} />
      )}
      <span className="visually-hidden" role="status">
        {file.said}
      </span>
      {file.fault !== undefined && (
        <div className={css.fault}>
          <FaultNote fault={file.fault} />
        </div>
      )}
    </div>
  )
}

function tsvWithNames({ columns, rows }: ResultCardProps): string {
  const area = areaOf({ from: { row: -1, column: 0 }, at: { row: rows.length - 1, column: columns.length - 1 } })
  return tsvOf(area, (row, at) =>
    row < 0 ? columns[at]!.name : (cellText(rows[row]?.[at] ?? null, columns[at]!) ?? ''),
  )
}
