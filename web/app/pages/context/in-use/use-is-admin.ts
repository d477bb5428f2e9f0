import { useAnswer, useProject } from '../../../api/queries.ts'
import { isTeam } from '../../../api/server.ts'

/** Whether the reader may set where the context of this project comes from. */
export const useIsAdmin = (): boolean =>
  useAnswer('project_members', { project_id: useProject() }, { enabled: isTeam() }).data?.role === 'admin'
