import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { CaseAttempt } from './case-attempt.tsx'
import { CaseInspector } from './case-inspector.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import type { RunSearch } from './routes.ts'
import type { RunWanted } from './run-choice.ts'
import { spentWords } from './run-words.ts'
import styles from './case-pane.module.css'

interface Props {
  readonly run: Calls['test_show']['output']['run']
  readonly search: RunSearch
  readonly look: (next: RunSearch, replace?: boolean) => void
  readonly onRun: (wanted: RunWanted) => void
}

/** One case of a run in full: expected and actual values, answer and calls, try by try. */
export const CasePane = ({ run, search, look, onRun }: Props) => {
  const id = search.case!
  const shown = useAnswer('test_show', { run: run.id, case: [id], limit: 50 })
  if (shown.isError) return <FaultNote fault={shown.error} again={() => void shown.refetch()} />
  if (shown.data === undefined) return <Skeleton rows={6} label="Loading the case" />
  const one = shown.data.cases.find((each) => each.case === id && each.model === (search.model ?? '-'))
  const found = one ?? shown.data.cases.find((each) => each.case === id)
  if (found === undefined) return <p className={styles.none}>This run does not have the case {id}.</p>
  const number = found.attempts.some(({ attempt }) => attempt === search.try)
    ? search.try!
    : (found.attempts.find(({ outcome }) => outcome !== 'passed') ?? found.attempts[0])?.attempt
  const attempt = found.attempts.find((each) => each.attempt === number)
  return (
    <article className={styles.case} aria-label={found.name}>
      <CaseInspector one={found} run={run} />
      <header className={styles.head}>
        <div>
          <h2 className={styles.title}>{found.name}</h2>
          <p className={styles.about}>
            <OutcomeMark outcome={found.verdict} />
            <span>{found.kind}</span>
            <span>{found.file}</span>
            {found.model !== '-' && <span>{found.model}</span>}
            {found.tags.map((tag) => (
              <span key={tag}>#{tag}</span>
            ))}
            {spentWords(found).map((words) => (
              <span key={words}>{words}</span>
            ))}
          </p>
        </div>
        <Button
          icon="refresh"
          onClick={() =>
            onRun({
              select: [id],
              baseline: run.id,
              ...(found.model !== '-' && { model: [found.model] }),
              ...(found.tries > 1 && { runs: found.tries }),
            })
          }
        >
          Run this case
        </Button>
      </header>
      {found.attempts.length > 1 && (
        <div role="group" aria-label="Tries" className={styles.tries}>
          {found.attempts.map((each) => (
            <Button
              key={each.attempt}
              size="small"
              look="quiet"
              aria-pressed={each.attempt === number}
              onClick={() => look({ ...search, try: each.attempt }, true)}
            >
              Try {each.attempt} <OutcomeMark outcome={each.outcome} short />
            </Button>
          ))}
        </div>
      )}
      {attempt && <CaseAttempt attempt={attempt} />}
      <CaseSource id={id} />
    </article>
  )
}

/** The current text of the case in its file. */
const CaseSource = ({ id }: { id: string }) => {
  const { data } = useAnswer('test_cases', { select: [id], whole: true })
  const one = data?.cases.find((each) => each.id === id)
  if (one?.text === undefined) return null
  return (
    <details className={styles.fold}>
      <summary>Current case, in {`${data!.folder}/${one.file}:${one.line}`}</summary>
      <pre className={styles.text} tabIndex={0}>
        {one.text}
      </pre>
    </details>
  )
}
