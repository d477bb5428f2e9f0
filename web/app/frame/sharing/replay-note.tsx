import { useAnswer } from '../../api/queries.ts'
import { isTeam } from '../../api/server.ts'

/** Notice shown if admins may read everybody's chats. */
export const ReplayNote = ({ className = '' }: { className?: string | undefined }) => {
  const { data } = useAnswer('replay_rule', {}, { enabled: isTeam() })
  if (data?.on !== true) return null
  return <p className={className}>Admins of this project can read its chats.</p>
}
