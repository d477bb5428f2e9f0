import { Link } from '@tanstack/react-router'
import type { Calls } from '../../api/call.ts'
import { useProject } from '../../api/queries.ts'
import css from './read-only.module.css'

type From = NonNullable<Calls['chats_list']['output']['chats'][number]['from']>

/** Leads to the chat that this one goes on from. It may have been taken back since. */
export const CameFrom = ({ id, owner }: From) => {
  const project = useProject()
  return (
    <p className={css.from}>
      Goes on from{' '}
      <Link to="/$project/ask/$chat" params={{ project, chat: id }} search={{}}>
        {owner === undefined ? 'another chat of yours' : `a chat of ${owner.name}`}
      </Link>
      .
    </p>
  )
}
