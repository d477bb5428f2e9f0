import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useAct, useAnswer, useProject } from '../../api/queries.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Reading } from '../../kit/reading.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { comparedFacts } from './compared-facts.ts'
import { RejectedList } from './rejected-list.tsx'
import { compareRoute } from './routes.ts'
import type { DecisionSearch } from './search.ts'
import type { OpenDecision } from './use-decision.ts'
import { useUndoToast } from './use-undo-toast.ts'
import styles from './compare-page.module.css'

/** Two decisions side by side: differing facts, and both texts. */
export const ComparePage = () => {
  const { a, b, answers, ...search } = compareRoute.useSearch()
  const asOf = search.asOf === undefined ? {} : { as_of: search.asOf }
  const left = useAnswer('get_decision', { number: a ?? 0, parts: true, ...asOf }, { enabled: a !== undefined })
  const right = useAnswer('get_decision', { number: b ?? 0, parts: true, ...asOf }, { enabled: b !== undefined })
  usePageTitle(a === undefined || b === undefined ? 'Compare' : `${label(a)} and ${label(b)}`)
  if (a === undefined || b === undefined)
    return <p className={styles.calm}>Select two decisions in the list with x, then press c.</p>
  const fault = left.error ?? right.error
  if (fault !== null) return <FaultNote fault={fault} />
  if (left.data === undefined || right.data === undefined) return <Skeleton rows={8} label="Loading both decisions" />
  return (
    <Both left={left.data} right={right.data} search={search}>
      {answers !== undefined && <Settle question={answers} of={[a, b]} search={search} />}
    </Both>
  )
}

interface BothProps {
  readonly left: OpenDecision
  readonly right: OpenDecision
  readonly search: DecisionSearch
  readonly children: ReactNode
}

const Both = ({ left, right, search, children }: BothProps) => (
  <div className={styles.page}>
    {children}
    <h2 className="visually-hidden">
      {label(left.number)} beside {label(right.number)}
    </h2>
    <div className={styles.wide} tabIndex={0} role="group" aria-label="Facts of both">
      <table className={styles.facts}>
        <thead>
          <tr>
            <td />
            {[left, right].map((one) => (
              <th key={one.number} scope="col" className={styles.head}>
                <Title decision={one} search={search} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedFacts(left, right).map(({ name, values, differs }) => (
            <tr key={name} className={differs ? styles.differs : undefined}>
              <th scope="row" className={styles.name}>
                {name}
                {differs && <span className={styles.mark}> differs</span>}
              </th>
              {values.map((value, at) => (
                <td key={at} className={styles.value}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <div className={styles.texts}>
      {[left, right].map((one) => (
        <article key={one.number} aria-label={`${label(one.number)} ${one.title}`}>
          <p className={styles.label}>{label(one.number)}</p>
          <Reading text={one.parts?.rationale ?? one.content} heading={3} />
          <RejectedList rejected={one.parts?.rejected ?? []} of={label(one.number)} />
        </article>
      ))}
    </div>
  </div>
)

interface SettleProps {
  readonly question: string
  readonly of: readonly [number, number]
  readonly search: DecisionSearch
}

/** Resolves the question about both decisions: by one of them, or by a new one that supersedes both. */
const Settle = ({ question, of, search }: SettleProps) => {
  const project = useProject()
  const navigate = useNavigate()
  const resolve = useAct('flag_question')
  const say = useUndoToast()
  const keep = async (number: number): Promise<void> => {
    const done = await resolve.mutateAsync({ targets: [question], resolved_by: label(number) }).catch(() => undefined)
    if (done?.status !== 'ok') return
    await navigate({ to: '/$project/decisions', params: { project }, search: { view: 'questions' } })
    await say(`Resolved ${question} with ${label(number)}.`)
  }
  const refused = resolve.data?.status === 'rejected' ? resolve.data.error?.reason : undefined
  const all = useAnswer('questions', { all: true })
  const asked = all.data?.questions.find(({ id }) => id === question)
  if (all.error !== null) return <FaultNote fault={all.error} />
  if (asked === undefined) return <Skeleton rows={2} label="Loading the question" />
  return (
    <section className={styles.question} aria-labelledby="question">
      <h2 className={styles.label} id="question">
        {question}
      </h2>
      <p className={styles.asked}>{asked.body}</p>
      {asked.resolved_by !== undefined ? (
        <p className={styles.name}>Resolved with {label(asked.resolved_by)}.</p>
      ) : (
        <div className={styles.ways}>
          {of.map((number) => (
            <Button key={number} busy={resolve.isPending} onClick={() => void keep(number)}>
              Resolve with {label(number)}
            </Button>
          ))}
          <Link
            to="/$project/decisions/new"
            params={{ project }}
            search={{ ...search, supersedes: [...of], answers: question }}
          >
            Supersede both by a new decision
          </Link>
        </div>
      )}
      {refused !== undefined && <p role="alert">{refused}</p>}
      {resolve.error !== null && <FaultNote fault={resolve.error} />}
    </section>
  )
}

const Title = ({ decision: { number, title }, search }: { decision: OpenDecision; search: DecisionSearch }) => {
  const project = useProject()
  return (
    <>
      <span className={styles.label}>{label(number)}</span>
      <Link
        to="/$project/decisions/$id"
        params={{ project, id: String(number) }}
        search={search}
        className={styles.title}
      >
        {title}
      </Link>
    </>
  )
}
