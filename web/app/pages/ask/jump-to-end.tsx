import { Button } from '../../kit/button.tsx'
import css from './jump-to-end.module.css'

interface Props {
  readonly isShown: boolean
  readonly isAnswering: boolean
  readonly onJump: () => void
}

export const JumpToEnd = ({ isShown, isAnswering, onJump }: Props) =>
  isShown && (
    <div className={css.place}>
      <Button size="small" icon="arrow-down" className={css.button} onClick={onJump}>
        {isAnswering ? 'Jump to the current answer' : 'Jump to latest'}
      </Button>
    </div>
  )
