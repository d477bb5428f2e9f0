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
}

/** The pages in the order of the sidebar. */
export const PAGES: readonly PageOfFrame[] = [
  { name: 'Home', to: '/$project', icon: 'home', keys: 'g h' },
  { name: 'Ask', to: '/$project/ask', icon: 'ask', keys: 'g a' },
  { name: 'Decisions', to: '/$project/decisions', icon: 'decisions', keys: 'g d' },
  { name: 'Memory', to: '/$project/memory', icon: 'memory', keys: 'g m' },
  { name: 'Context', to: '/$project/context', icon: 'context', keys: 'g c' },
  { name: 'Stories', to: '/$project/stories', icon: 'stories', keys: 'g s' },
  { name: 'Tests', to: '/$project/tests', icon: 'tests', keys: 'g t' },
]

export const SETTINGS: PageOfFrame = { name: 'Settings', to: '/$project/settings', icon: 'settings', keys: 'g e' }
