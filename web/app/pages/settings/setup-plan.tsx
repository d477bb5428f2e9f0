import type { Calls } from '../../api/call.ts'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import { WithCode } from '../../kit/with-code.tsx'
import styles from './settings.module.css'

type Report = Calls['setup']['output']['clients'][number]

/** Changes that a setup would make in a client's files, or the reason why there are none. */
export const SetupPlan = ({ report }: { report: Report }) => {
  const changed = changedFiles(report)
  return (
    <>
      {changed.map(({ path, diff }) => (
        <TextDiff key={path} label={path} diff={diff!} />
      ))}
      {report.files.map(
        ({ path, kept }) =>
          kept !== undefined && (
            <p key={path} className={styles.warn}>
              <code>{path}</code> not changed: {kept}
            </p>
          ),
      )}
      {report.problem && <p className={styles.warn}>{report.problem.message}</p>}
      {changed.length === 0 && report.problem === undefined && (
        <p className={styles.soft}>
          No changes{report.next.length > 0 && ': '}
          {report.next.map((line) => (
            <WithCode key={line}>{line}</WithCode>
          ))}
        </p>
      )}
    </>
  )
}

export const changedFiles = (report: Report): Report['files'] => report.files.filter(({ diff }) => diff !== undefined)
