import { useState } from 'react'
import { csvText } from '../../../../src/context/domain/results/csv.ts'
import { call, type Calls } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { copyText } from '../copy-text.ts'
import { bytesOf, download } from './download.ts'
import type { ResultCardProps } from './result-card.tsx'

type Wanted = Pick<ResultCardProps, 'name' | 'sql' | 'database' | 'queryId' | 'columns' | 'rows' | 'rowCount' | 'isCut'>

/** Exports the rows of a result: as text to paste, or as a file with every available row. */
export function useResultFile(project: string, wanted: Wanted) {
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
