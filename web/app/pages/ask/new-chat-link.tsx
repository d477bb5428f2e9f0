import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { Icon } from '../../kit/icon.tsx'
import { Tooltip } from '../../kit/tooltip.tsx'
import css from './new-chat-link.module.css'

export const NewChatLink = () => (
  <Tooltip text="New chat" keys="n">
    <Link to="/$project/ask" params={{ project: useProject() }} className={css.new}>
      <Icon name="plus" />
      <span className={css.name}>New chat</span>
    </Link>
  </Tooltip>
)
