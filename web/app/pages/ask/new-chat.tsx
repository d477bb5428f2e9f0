import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import type { Fault } from '../../api/fault.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { AddModel } from './add-model.tsx'
import { AnswerInspector } from './answer-inspector.tsx'
import { Composer } from './composer/composer.tsx'
import { keepSending, readSending } from './drafts.ts'
import { ExampleQuestions } from './example-questions.tsx'
import { askInput, beginChat, type Asked } from './live-chat.ts'
import { SentQuestion } from './question.tsx'
import { useChosenModel } from './use-chosen-model.ts'
import conversation from './conversation.module.css'
import css from './new-chat.module.css'

/** A new chat. */
export const NewChat = () => {
  const { question } = useSearch({ from: '/$project/ask' })
  const project = useProject()
  const begin = useBegin(project)
  const [model] = useChosenModel()
  const { data } = useAnswer('answerers', {})
  const ask = (text: string, { images = [] }: { images?: readonly string[] } = {}) =>
    begin.mutate({ text, images, model })
  if (!begin.isIdle) return <Sending begin={begin} />
  return (
    <section className={css.new} aria-label="New chat">
      <div className={css.inside}>
        <h2 className={css.title}>What do you want to know?</h2>
        <Composer key={question ?? ''} first={question ?? readSending(project)} isBusy={false} onSend={ask} />
        <ExampleQuestions onAsk={ask} />
        {data?.set === '' && model === '' && <AddModel />}
      </div>
    </section>
  )
}

/** The question from the first frame on, laid out as in the new chat. */
const Sending = ({ begin }: { begin: ReturnType<typeof useBegin> }) => (
  <section className={conversation.conversation} aria-label="New chat">
    <div className={conversation.scroller}>
      <div className={conversation.messages}>
        <SentQuestion asked={begin.variables!} isFailed={begin.isError} />
        {begin.isError && (
          <>
            <FaultNote fault={begin.error} again={() => begin.mutate(begin.variables)} />
            <div>
              <Button size="small" icon="edit" onClick={() => begin.reset()}>
                Edit the question
              </Button>
            </div>
          </>
        )}
      </div>
    </div>
    <div className={conversation.foot} inert>
      <Composer isBusy={begin.isPending} onSend={() => undefined} />
    </div>
    <AnswerInspector message={undefined} />
  </section>
)

/** Asks in a new chat and opens it. */
function useBegin(project: string) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation<{ readonly chat: string }, Fault, Asked>({
    mutationFn: (asked) => call(project, 'ask', askInput(undefined, asked)),
    onMutate: ({ text }) => keepSending(project, text),
    onSuccess: async ({ chat }, asked) => {
      keepSending(project, '')
      beginChat(project, chat, asked)
      await client.invalidateQueries({ queryKey: [project, 'chats_list'] })
      await navigate({
        to: '/$project/ask/$chat',
        params: { project, chat },
        search: {},
      })
    },
  })
}
