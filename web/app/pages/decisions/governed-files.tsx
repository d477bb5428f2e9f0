import { label } from '../../../../src/record/domain/decision/decision.ts'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { Icon } from '../../kit/icon.tsx'
import type { OpenDecision } from './use-decision.ts'
import styles from './governed-files.module.css'

type Drift = Calls['drift']['output']['findings'][number]
type Finding = Calls['guard']['output']['findings'][number]

interface Props {
  readonly decision: OpenDecision
  readonly files: readonly string[]
  readonly isNow: boolean
}

/** The files that the decision governs, and how the code changed since. Loaded after the page, because git is slow. */
export const GovernedFiles = ({ decision: { number, status }, files, isNow }: Props) => {
  const isJudged = isNow && status === 'active' && isOffered('drift')
  const { data: drift } = useAnswer('drift', { only: [label(number)] }, { enabled: isJudged })
  const { data: guard } = useAnswer('guard', { paths: [...files] }, { enabled: isJudged && files.length > 0 })
  const drifted = drift?.findings ?? []
  const touched = (guard?.findings ?? []).filter((one) => one.decision.num === number)
  if (files.length === 0 && drifted.length === 0) return null
  return (
    <section className={styles.section} aria-label="Files">
      <h3 className={styles.heading}>{files.length === 0 ? 'Code changes since' : 'Governs'}</h3>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file} className={styles.file}>
            <Icon name="file" size={14} />
            <code>{file}</code>
            {touched.some((one) => isIn(one, file)) && <span className={styles.changing}>has uncommitted changes</span>}
          </li>
        ))}
      </ul>
      {drifted.length > 0 && (
        <ul className={styles.drifts}>
          {drifted.map((one, at) => (
            <DriftMark key={at} drift={one} />
          ))}
        </ul>
      )}
      {isJudged && drift !== undefined && drifted.length === 0 && files.length > 0 && (
        <p className={styles.kept}>The code follows this decision.</p>
      )}
    </section>
  )
}

const DriftMark = ({ drift: { level, about, now, was, path, line, next, commit } }: { drift: Drift }) => (
  <li className={styles.drift}>
    <strong className={level === 'contradicts' ? styles.bad : styles.warn}>
      <Icon name="warn" size={14} /> {LEVELS[level]}
    </strong>
    <span>
      {about}: {now}
      {path !== null && (
        <code className={styles.place}>
          {path}
          {line !== null && `:${line}`}
        </code>
      )}
      {commit !== null && <span className={styles.then}> since {commit.id.slice(0, 7)}</span>}
    </span>
    <span className={styles.then}>
      Then: {was}. Next: {next}.
    </span>
  </li>
)

const LEVELS: Readonly<Record<Drift['level'], string>> = {
  contradicts: 'Contradicted',
  gone: 'Files gone',
  changed: 'Changed significantly',
}

const isIn = ({ file, also }: Finding, governed: string): boolean => {
  const root = governed.replace(/[*?[{].*$/, '').replace(/\/+$/, '')
  return [file, ...also].some((one) => one === governed || one === root || one.startsWith(`${root}/`))
}
