import { useAnswer, useProject } from '../../../api/queries.ts'
import { isTeam } from '../../../api/server.ts'

/** Whether the reader may set the source of this project's context. */
export const useIsAdmin = (): boolean =>
  useAnswer('project_members', { project_id: useProject() }, { enabled: isTeam() }).data?.role === 'admin'
