import type { OperationName } from '../api/call.ts'
import { isOffered } from '../api/server.ts'
import type { IconName } from '../kit/icon.tsx'

export interface PageOfFrame {
  readonly name: string
  readonly to:
    | '/$project'
    | '/$project/ask'
    | '/$project/decisions'
    | '/$project/memory'
    | '/$project/context'
    | '/$project/stories'
    | '/$project/tests'
    | '/$project/settings'
  readonly icon: IconName
  readonly keys: string
  /** The page would be empty without this operation. */
  readonly needs: OperationName
}

const ALL: readonly PageOfFrame[] = [
  { name: 'Home', to: '/$project', icon: 'home', keys: 'g h', needs: 'overview' },
  { name: 'Ask', to: '/$project/ask', icon: 'ask', keys: 'g a', needs: 'ask' },
  { name: 'Decisions', to: '/$project/decisions', icon: 'decisions', keys: 'g d', needs: 'list_decisions' },
  { name: 'Memory', to: '/$project/memory', icon: 'memory', keys: 'g m', needs: 'memory_query' },
  { name: 'Context', to: '/$project/context', icon: 'context', keys: 'g c', needs: 'context_files' },
  { name: 'Stories', to: '/$project/stories', icon: 'stories', keys: 'g s', needs: 'stories_list' },
  { name: 'Tests', to: '/$project/tests', icon: 'tests', keys: 'g t', needs: 'test_cases' },
]

/** Pages that this server supports, in the order of the sidebar. */
export const PAGES: readonly PageOfFrame[] = ALL.filter(({ needs }) => isOffered(needs))

export const SETTINGS: Omit<PageOfFrame, 'needs'> = {
  name: 'Settings',
  to: '/$project/settings',
  icon: 'settings',
  keys: 'g e',
}
