import { Button } from '../../kit/button.tsx'
import { useBranch } from './use-branch.ts'
import css from './read-only.module.css'

/** Replaces the composer in another person's chat. */
export const ReadOnly = ({ chat, owner }: { chat: string; owner: string }) => {
  const branch = useBranch(chat)
  return (
    <div className={css.bar} role="note">
      <p>{owner} shared this chat with you. To ask your own questions, continue in a copy.</p>
      <Button look="primary" icon="branch" busy={branch.isBusy} onClick={() => branch.go()}>
        Continue in my own copy
      </Button>
    </div>
  )
}
