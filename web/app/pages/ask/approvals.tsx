import { useAct } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CallInput } from '../../kit/data/call-input.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import type { AskedApproval } from './answer-view.ts'
import css from './approvals.module.css'

interface Props {
  readonly chat: string
  readonly approvals: readonly AskedApproval[]
  /** Whether the answer is still being written, so that an approval still has an effect. */
  readonly isOpen: boolean
}

/** Calls that need a person's approval: each shows its input, and waits. */
export const Approvals = ({ chat, approvals, isOpen }: Props) =>
  approvals.map((one) =>
    one.answer === undefined && isOpen ? (
      <Waiting key={one.call} chat={chat} approval={one} />
    ) : (
      <p key={one.call} className={css.said}>
        {wordsOn(one)}
      </p>
    ),
  )

const Waiting = ({ chat, approval }: { chat: string; approval: AskedApproval }) => {
  const approve = useAct('chat_approve')
  const say = (answer: 'once' | 'chat' | 'no') => approve.mutate({ chat, call: approval.call, answer })
  return (
    <section className={css.waiting} role="alert" aria-label={`Approve a call to ${approval.tool}`}>
      <p>
        Allow Ken to call <code>{approval.tool}</code>?{' '}
        {approval.isOwn
          ? 'It has read text that you did not write and wants to save this:'
          : 'It is an external tool and would receive this:'}
      </p>
      <CallInput input={approval.input} />
      <div className={css.buttons}>
        <Button size="small" look="primary" busy={approve.isPending} onClick={() => say('once')}>
          Allow once
        </Button>
        {!approval.isOwn && (
          <Button size="small" busy={approve.isPending} onClick={() => say('chat')}>
            Allow in this chat
          </Button>
        )}
        <Button size="small" busy={approve.isPending} onClick={() => say('no')}>
          Deny
        </Button>
      </div>
      {approve.isError && <FaultNote fault={approve.error} />}
    </section>
  )
}

const wordsOn = ({ tool, answer }: AskedApproval): string => {
  if (answer === 'once') return `You allowed ${tool} once.`
  if (answer === 'chat') return `You allowed ${tool} in this chat.`
  return answer === 'no' ? `You denied ${tool}.` : `${tool} was not called: the approval expired.`
}
