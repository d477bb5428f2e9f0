import type { Calls } from '../../api/call.ts'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Split } from '../../kit/split.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { VirtualList } from '../../kit/virtual-list.tsx'
import { FlagQuestion } from './flag-question.tsx'
import { QuestionPane } from './question-pane.tsx'
import { QuestionRow } from './question-row.tsx'
import type { DecisionSearch } from './search.ts'
import { useSetSearch } from './use-set-search.ts'
import styles from './questions-view.module.css'

export type Question = Calls['questions']['output']['questions'][number]

/** Questions for people: open ones, and those resolved by a decision. */
export const QuestionsView = ({ search }: { search: DecisionSearch }) => {
  const { data, error, refetch } = useAnswer('questions', {
    all: true,
    ...(search.asOf !== undefined && { as_of: search.asOf }),
  })
  const set = useSetSearch()
  if (error !== null) return <FaultNote fault={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={8} label="Loading questions" />
  const open = data.questions.filter((one) => one.resolved_by === undefined)
  const resolved = data.questions.filter((one) => one.resolved_by !== undefined)
  const chosen = data.questions.find(({ id }) => id === search.question)
  const isResolved = search.resolved ?? chosen?.resolved_by !== undefined
  const shown = isResolved ? resolved : open
  return (
    <Split
      name="questions"
      listLabel="Questions"
      list={
        <div className={styles.side}>
          <Tabs
            label="Questions"
            value={isResolved ? 'resolved' : 'open'}
            onChange={(tab) => set({ resolved: tab === 'resolved' ? true : undefined, question: undefined })}
            tabs={[
              { value: 'open', label: 'Open', count: open.length },
              { value: 'resolved', label: 'Resolved', count: resolved.length },
            ]}
            aside={
              chosen !== undefined &&
              search.asOf === undefined && (
                <Button look="quiet" size="small" icon="plus" onClick={() => set({ question: undefined })}>
                  Flag
                </Button>
              )
            }
          >
            {shown.length === 0 ? (
              <p className={styles.none}>{isResolved ? 'No resolved questions yet.' : 'No open questions.'}</p>
            ) : (
              <VirtualList<Question>
                label={isResolved ? 'Resolved questions' : 'Open questions'}
                items={shown}
                keyOf={({ id }) => id}
                rowHeight="measured"
                open={search.question}
                onOpen={({ id }) => set({ question: id })}
                isMain
              >
                {(question) => <QuestionRow question={question} />}
              </VirtualList>
            )}
          </Tabs>
        </div>
      }
      detail={chosen && <QuestionPane key={chosen.id} question={chosen} search={search} />}
      empty={
        <div className={styles.empty}>
          {search.asOf === undefined && <FlagQuestion />}
          {data.questions.length === 0 && (
            <EmptyState
              title="Questions that need a person’s decision appear here until one answers them. Flag one."
              example={<p>Do we keep audit logs for two years?</p>}
              command={'ken question "Do we keep audit logs for two years?"'}
            />
          )}
        </div>
      }
      onBack={() => set({ question: undefined })}
    />
  )
}
