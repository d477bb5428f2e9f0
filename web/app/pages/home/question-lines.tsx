import { useAnswer } from '../../api/queries.ts'
import { plainTitle } from '../../kit/names.ts'
import { partedQuestion } from '../../kit/parted-question.ts'
import { HomeRow } from './home-row.tsx'
import { HomeSection } from './home-section.tsx'

const MOST = 5

/** Open questions for people, newest first. */
export const QuestionLines = () => {
  const answer = useAnswer('questions', {})
  const questions = answer.data?.questions ?? []
  return (
    <HomeSection
      title="Open questions"
      count={questions.length}
      all={questions.length > 0 ? { to: 'decisions?view=questions', label: 'All open questions' } : undefined}
      state={answer}
      calm="No open questions."
    >
      {questions.length > 0 && (
        <ul>
          {questions.slice(0, MOST).map(({ id, body }) => {
            const { asked, context } = partedQuestion(body)
            return (
              <HomeRow
                key={id}
                to={`decisions?${new URLSearchParams({ view: 'questions', question: id })}`}
                mark={id}
                title={plainTitle(asked)}
                more={context === undefined ? undefined : plainTitle(context)}
              />
            )
          })}
        </ul>
      )}
    </HomeSection>
  )
}
