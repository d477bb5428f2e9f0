import { useState } from 'react'
import { inDollars } from '../../../../src/analyst/domain/chat/in-dollars.ts'
import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { dayWords } from '../../kit/time-words.ts'
import { Part } from './part.tsx'
import { UsageTable } from './usage-table.tsx'
import styles from './settings.module.css'

type Usage = Calls['project_usage']['output']

const SPANS = ['7', '30', '90', '366'] as const
type Span = (typeof SPANS)[number]
const SPAN_OPTIONS = SPANS.map((value) => ({ value, label: value === '366' ? 'A year' : `${value} days` }))

/** Model usage and cost: the reader's, the project's, and for an admin everybody's. */
export const UsageSection = () => {
  const [span, setSpan] = useState<Span>('30')
  const { data, error, refetch } = useAnswer('project_usage', { days: Number(span) }, { keep: true })
  return (
    <>
      <Part
        title="Usage"
        about="Questions, tokens and costs in this project. Days are in UTC; costs include only models with a known price."
      >
        <div className={styles.form}>
          <Select<Span> label="Period" value={span} options={SPAN_OPTIONS} onChange={setSpan} />
        </div>
        {error && <FaultNote fault={error} again={() => void refetch()} />}
        {!error && data === undefined && <Skeleton rows={4} />}
        {data !== undefined && (
          <UsageTable
            label="Usage by you and the project"
            first="Who"
            rows={[
              { name: 'You', ...data.you },
              { name: 'The project', ...data.project },
            ]}
          />
        )}
      </Part>
      {data !== undefined && data.budgets.length > 0 && <Budgets usage={data} />}
      {data?.people !== undefined && data.people.length > 0 && (
        <Part title="People" about="Everyone in this project who asked a question. Only admins see this.">
          <UsageTable
            label="Usage by person"
            first="Person"
            rows={data.people.map(({ person, ...sum }) => ({ name: person.name, ...sum }))}
          />
        </Part>
      )}
      {data !== undefined && <Days title="Your days" days={data.own_days} />}
      {data !== undefined && <Days title="Project days" days={data.days} />}
    </>
  )
}

const Days = ({ title, days }: { title: string; days: Usage['days'] }) =>
  days.length === 0 ? null : (
    <Part title={title}>
      <UsageTable
        label={`Table of ${title.toLowerCase()}`}
        first="Day and model"
        rows={days.toReversed().map(({ day, model, ...sum }) => ({ name: `${dayWords(day)} · ${model}`, ...sum }))}
      />
    </Part>
  )

const Budgets = ({ usage: { budgets, warnings } }: { usage: Usage }) => (
  <Part
    title="Budgets this month"
    about="Set by the server’s operator. Once a budget is spent, questions are refused until the month ends."
  >
    {warnings.map((warning) => (
      <p key={warning} role="status" className={styles.warn}>
        {warning}
      </p>
    ))}
    {budgets.map(({ of, most, spent }) => (
      <ProgressBar
        key={of}
        label={`${of === 'person' ? 'Yours, in all projects' : 'The project’s'}: ${inDollars(spent)} of ${inDollars(most)}`}
        value={spent}
        of={most}
      />
    ))}
  </Part>
)
