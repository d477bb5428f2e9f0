import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import type { Fault } from '../../api/fault.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { AddModel } from './add-model.tsx'
import { Composer } from './composer/composer.tsx'
import { keepDraft } from './drafts.ts'
import { ExampleQuestions } from './example-questions.tsx'
import { askInput, type Asked } from './live-chat.ts'
import { useChosenModel } from './use-chosen-model.ts'
import css from './new-chat.module.css'

/** A new chat. */
export const NewChat = () => {
  const { question } = useSearch({ from: '/$project/ask' })
  const begin = useBegin()
  const [model] = useChosenModel()
  const { data } = useAnswer('answerers', {})
  const ask = (text: string, { images = [] }: { images?: readonly string[] } = {}) =>
    begin.mutate({ text, images, model })
  return (
    <section className={css.new} aria-label="New chat">
      <div className={css.inside}>
        <h2 className={css.title}>What do you want to know?</h2>
        <Composer key={question ?? ''} first={question} isBusy={false} onSend={ask} />
        {begin.isError && <FaultNote fault={begin.error} />}
        <ExampleQuestions onAsk={ask} />
        {data?.set === '' && model === '' && <AddModel />}
      </div>
    </section>
  )
}

/** Asks in a new chat and opens it; a question that could not be sent is kept as the draft. */
function useBegin() {
  const project = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation<{ readonly chat: string }, Fault, Asked>({
    mutationFn: (asked) => call(project, 'ask', askInput(undefined, asked)),
    onSuccess: async ({ chat }) => {
      await client.invalidateQueries({ queryKey: [project, 'chats_list'] })
      await navigate({
        to: '/$project/ask/$chat',
        params: { project, chat },
        search: {},
      })
    },
    onError: (_fault, { text }) => keepDraft(project, '', text),
  })
}
