import { Link } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { Views } from '../../kit/views.tsx'

export const MemoryTabs = () => {
  const project = useProject()
  return (
    <Views label="Memory">
      <Link activeOptions={{ exact: true, includeSearch: false }} to="/$project/memory" params={{ project }}>
        Search
      </Link>
      {isOffered('notes_list') && (
        <Link to="/$project/memory/notes" params={{ project }}>
          Notes
        </Link>
      )}
      <Link to="/$project/memory/about-me" params={{ project }}>
        About me
      </Link>
    </Views>
  )
}
