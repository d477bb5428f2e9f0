import { useNavigate } from '@tanstack/react-router'
import { useMemo, type RefObject } from 'react'
import { useProject } from '../../api/queries.ts'
import type { SearchPart, TestsSearch } from './routes.ts'
import { chosenRows, type CaseRow, type StripRow } from './strip-rows.ts'
import { StripTools } from './strip-tools.tsx'
import { Strip, type RunRow } from './strip.tsx'
import styles from './tests-page.module.css'

interface Props {
  /** The search field. */
  readonly ref: RefObject<HTMLInputElement | null>
  readonly rows: readonly StripRow[]
  /** Runs, newest first. */
  readonly runs: readonly RunRow[]
  readonly search: TestsSearch
  readonly look: (part: SearchPart) => void
  readonly checked: ReadonlySet<string>
  readonly onCheck: (checked: ReadonlySet<string>) => void
}

/** Outcomes of every case in every run, the newest run at the right. */
export const StripPane = ({ ref, rows, runs, search, look, checked, onCheck }: Props) => {
  const project = useProject()
  const navigate = useNavigate()
  const shown = useMemo(() => chosenRows(rows, search), [rows, search])
  const columns = useMemo(() => runs.toReversed(), [runs])
  const open = (run: RunRow, row?: CaseRow): void =>
    void navigate({
      to: '/$project/tests/run/$run',
      params: { project, run: run.id },
      search: row === undefined ? {} : { case: row.id, ...(row.model !== undefined && { model: row.model }) },
    })
  return (
    <>
      <StripTools
        ref={ref}
        search={search}
        shown={shown}
        checked={checked}
        look={look}
        uncheck={() => onCheck(new Set())}
      />
      <div className={styles.strip}>
        <Strip
          rows={shown}
          runs={columns}
          checked={checked}
          onOpen={(row, column) => columns[column] && open(columns[column], row)}
          onOpenRun={(run) => open(run)}
          onCheck={({ id }) => onCheck(toggled(checked, id))}
        />
      </div>
    </>
  )
}

function toggled(checked: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(checked)
  if (!next.delete(id)) next.add(id)
  return next
}
