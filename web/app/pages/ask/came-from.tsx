import { Link } from '@tanstack/react-router'
import type { Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import css from './read-only.module.css'

type From = NonNullable<Calls['chats_list']['output']['chats'][number]['from']>

/** Links to the chat that this one continues. It may have been unshared since. */
export const CameFrom = ({ id, owner }: From) => {
  const project = useProject()
  return (
    <p className={css.from}>
      Continued from{' '}
      <Link to="/$project/ask/$chat" params={{ project, chat: id }} search={{}}>
        {owner === undefined ? 'another of your chats' : `${owner.name}’s chat`}
      </Link>
      .
    </p>
  )
}
