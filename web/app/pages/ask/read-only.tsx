import { Button } from '../../kit/button.tsx'
import { useBranch } from './use-branch.ts'
import css from './read-only.module.css'

/** Replaces the composer in another person's chat. */
export const ReadOnly = ({ chat, owner }: { chat: string; owner: string }) => {
  const branch = useBranch(chat)
  return (
    <div className={css.bar} role="note">
      <p>{owner} shares this chat with you. You read it; questions of your own go into a chat of your own.</p>
      <Button look="primary" icon="branch" busy={branch.isBusy} onClick={() => branch.go()}>
        Continue in a chat of my own
      </Button>
    </div>
  )
}
