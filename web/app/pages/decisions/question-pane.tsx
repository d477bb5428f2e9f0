import { Link, useNavigate } from '@tanstack/react-router'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { isTold } from '../../../../src/retrieval/domain/ranking/verdict.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { Button } from '../../kit/button.tsx'
import { partedQuestion } from '../../kit/parted-question.ts'
import { Reading } from '../../kit/reading.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import { VerdictMark } from '../../kit/verdict-mark.tsx'
import type { Question } from './questions-view.tsx'
import { ResolveQuestion } from './resolve-question.tsx'
import { comparedPair, without, type DecisionSearch } from './search.ts'
import { numberOf } from './use-check.ts'
import { dayWords, whoWords } from './words.ts'
import styles from './question-pane.module.css'

/** A question in full, decisions that may answer it, and two ways to resolve it. */
export const QuestionPane = ({ question, search }: { question: Question; search: DecisionSearch }) => {
  const { id, body, asked_at: at, asked_by: by = '', resolved_by: answer, resolved_on: on } = question
  const project = useProject()
  const navigate = useNavigate()
  usePageTitle(`${id} ${partedQuestion(body).asked}`)
  const { asked, context } = partedQuestion(body)
  const isOpen = answer === undefined && search.asOf === undefined
  const rest = without(search, 'asOf', 'question', 'view')
  const [surface = '', client] = by.split(' ')
  const pair = comparedPair(body)
  return (
    <article className={styles.pane} aria-labelledby="question">
      <h2 className={styles.label} id="question">
        {id}
      </h2>
      <p className={styles.asked}>{asked}</p>
      {context !== undefined && <Reading text={context} heading={3} />}
      <p className={styles.facts}>
        {at !== undefined && (
          <>
            Asked <TimeAgo at={at} />
            {surface !== '' && `, ${whoWords({ surface, client })}`}
          </>
        )}
      </p>
      {answer !== undefined && (
        <p>
          Resolved by{' '}
          <Link to="/$project/decisions/$id" params={{ project, id: String(answer) }} search={rest}>
            {label(answer)}
          </Link>
          {on !== undefined && ` on ${dayWords(on)}`}.
        </p>
      )}
      {pair !== undefined && (
        <p>
          <Link
            to="/$project/decisions/compare"
            params={{ project }}
            search={{ ...rest, a: pair[0], b: pair[1], ...(isOpen && { answers: id }) }}
          >
            Compare {label(pair[0])} and {label(pair[1])}
          </Link>
        </p>
      )}
      {isOpen && (
        <div className={styles.ways}>
          <Button
            look="primary"
            icon="plus"
            onClick={() =>
              void navigate({ to: '/$project/decisions/new', params: { project }, search: { ...rest, answers: id } })
            }
          >
            Answer with a new decision
          </Button>
          <ResolveQuestion id={id} />
        </div>
      )}
      {answer === undefined && <MayAnswer body={body} search={rest} />}
    </article>
  )
}

const LONGEST = 2_000

const MayAnswer = ({ body, search }: { body: string; search: DecisionSearch }) => {
  const project = useProject()
  const { data } = useAnswer('check_decision', { proposed_approach: body.slice(0, LONGEST) })
  const hits = (data?.related_decisions ?? []).filter(({ verdict }) => isTold(verdict))
  if (hits.length === 0) return null
  return (
    <section className={styles.may} aria-label="Related decisions">
      <h3 className={styles.heading}>Related decisions</h3>
      <ul className={styles.hits}>
        {hits.map((hit) => (
          <li key={hit.id} className={styles.hit}>
            <VerdictMark verdict={hit.verdict} short />
            <Link to="/$project/decisions/$id" params={{ project, id: String(numberOf(hit.id)) }} search={search}>
              {label(numberOf(hit.id))} {hit.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
