import { useState } from 'react'
import { cellText } from '../../../../src/context/domain/results/cell-text.ts'
import { csvText } from '../../../../src/context/domain/results/csv.ts'
import { call, type Calls } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { useProject } from '../../api/queries.ts'
import { IconButton } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { copyText } from '../copy-text.ts'
import { FaultNote } from '../fault-note.tsx'
import { Menu } from '../menu.tsx'
import { bytesOf, download } from './download.ts'
import { areaOf, tsvOf } from './grid-selection.ts'
import type { ResultCardProps } from './result-card.tsx'
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

type Wanted = Pick<ResultCardProps, 'name' | 'sql' | 'database' | 'queryId' | 'columns' | 'rows' | 'rowCount' | 'isCut'>

/** Exports the rows of a result: as text to paste, or as a file with every available row. */
function useResultFile(project: string, wanted: Wanted) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const [said, setSaid] = useState('')
  const act = (work: () => Promise<string>): void => {
    setBusy(true)
    setFault(undefined)
    setSaid('')
    work()
      .then(setSaid, setFault)
      .finally(() => setBusy(false))
  }
  return {
    isBusy,
    fault,
    said,
    copy: (text: () => string) => act(async () => ((await copyText(text())) ? 'Copied.' : 'Could not copy.')),
    save: (format: 'csv' | 'parquet') =>
      act(async () => {
        download(await fileOf(project, wanted, format), `${wanted.name}.${format}`)
        return 'Downloaded.'
      }),
  }
}

async function fileOf(project: string, wanted: Wanted, format: 'csv' | 'parquet'): Promise<BlobPart> {
  const { columns, rows, rowCount = rows.length, isCut = false } = wanted
  const there = rows.filter((row) => row !== undefined)
  if (format === 'csv' && !isCut && there.length >= rowCount) return csvText({ columns, rows: there }, SAFE)
  const { base64, refused } = await asFile(project, wanted, format)
  if (refused !== undefined) throw new Fault('forbidden', `${refused.reason}.`, { hint: refused.hint, status: 403 })
  return bytesOf(base64 ?? '')
}

// CSV is usually opened in a spreadsheet, which would run a formula that a stranger wrote into a cell.
const SAFE = { spreadsheet: true }

type AsFile = Calls['run_sql']['output']

/** Exports the stored result, without a query to the database; if it is gone or truncated, runs the query again. */
async function asFile(project: string, { queryId, sql, database, isCut }: Wanted, format: string): Promise<AsFile> {
  const asked = { format: format as 'csv' | 'parquet', ...SAFE }
  if (queryId !== undefined && isCut !== true) {
    try {
      return await call(project, 'run_sql', { result: queryId, ...asked })
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'not_found') throw error
    }
  }
  return call(project, 'run_sql', { sql, database, ...asked })
}
