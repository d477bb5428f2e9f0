import { Fault } from '../../api/fault.ts'
import { FaultNote } from '../../kit/fault-note.tsx'
import { WithCode } from '../../kit/with-code.tsx'
import { AddModel } from './add-model.tsx'
import type { AnswerView } from './answer-view.ts'
import type { HeardMessage } from './chat-log.ts'
import css from './answer-trouble.module.css'

/** Why an answer is incomplete: stopped, interrupted, failed, a limit, or no model to write one. */
export const AnswerTrouble = ({ message, view }: { message: HeardMessage; view: AnswerView }) => {
  const { failure, remarks } = view
  const ended = message.end && ENDED[message.end.reason]
  const isEvidence = message.model === 'evidence'
  return (
    <>
      {failure !== undefined && (
        <FaultNote fault={new Fault(failure.code, failure.message, { hint: failure.hint, status: 0 })} />
      )}
      {ended !== undefined && <p className={css.ended}>{ended}</p>}
      {isEvidence ? (
        <AddModel />
      ) : (
        remarks.map((remark, at) => (
          <p key={at} className={css.remark}>
            <WithCode>{remark}</WithCode>
          </p>
        ))
      )}
      {view.remembered.map((content, at) => (
        <p key={at} className={css.remark}>
          Remembered: {content}
        </p>
      ))}
    </>
  )
}

const ENDED: Readonly<Partial<Record<NonNullable<HeardMessage['end']>['reason'], string>>> = {
  stopped: 'Stopped. The text so far is kept.',
  cut: 'Interrupted when Ken stopped. Ask again for the full answer.',
}
