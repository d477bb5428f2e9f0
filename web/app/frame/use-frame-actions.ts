import { isOffered } from '../api/server.ts'
import { useActions, type PaletteAction } from './actions.ts'
import type { InspectorState } from './inspector/use-inspector.ts'
import { density } from './preferences/density.ts'
import { usePreference } from './preferences/preference.ts'
import { theme } from './preferences/theme.ts'
import { useGo } from './use-go.ts'

/** Palette actions available on every page. */
export function useFrameActions({ inspector, showKeys }: { inspector: InspectorState; showKeys: () => void }): void {
  const go = useGo()
  const [chosen, choose] = usePreference(theme)
  const [height, setHeight] = usePreference(density)
  useActions([
    { name: 'New chat', also: 'ask analyst question', icon: 'ask', run: () => go.ask() },
    { name: 'Propose a decision', also: 'new add record', icon: 'plus', run: go.newDecision },
    { name: 'Open questions', also: 'board flag', icon: 'question', run: go.questions },
    { name: 'Decision graph', also: 'lineage map', icon: 'graph', run: go.graph },
    ...offered('sync_sources', {
      name: 'Sync sources',
      also: 'compile refresh context',
      icon: 'refresh',
      run: go.sources,
    }),
    ...offered('context_save', {
      name: 'Edit ken.yaml',
      also: 'config sources context',
      icon: 'code',
      run: go.config,
    }),
    ...offered('context_save', { name: 'Edit RULES.md', also: 'rules analyst', icon: 'edit', run: go.rules }),
    ...offered('note_save', { name: 'Write a note', also: 'memory notes', icon: 'edit', run: go.notes }),
    ...(['light', 'dark', 'system'] as const)
      .filter((value) => value !== chosen)
      .map((value) => ({
        name: value === 'system' ? 'System theme' : `${value === 'dark' ? 'Dark' : 'Light'} theme`,
        also: 'colour appearance toggle mode',
        icon: (value === 'dark' ? 'moon' : value === 'light' ? 'sun' : 'monitor') as 'sun',
        run: () => choose(value),
      })),
    {
      name: height === 'compact' ? 'Comfortable rows' : 'Compact rows',
      also: 'density height list',
      icon: 'list',
      run: () => setHeight(height === 'compact' ? 'comfortable' : 'compact'),
    },
    ...(inspector.hasParts
      ? [
          {
            name: inspector.isOpen ? 'Close the inspector' : 'Open the inspector',
            icon: 'panel-right' as const,
            keys: ']',
            run: inspector.toggle,
          },
        ]
      : []),
    { name: 'Show keyboard shortcuts', also: 'keyboard shortcuts help', icon: 'question', keys: '?', run: showKeys },
  ])
}

/** The action, if the server offers its operation. */
const offered = (operation: Parameters<typeof isOffered>[0], action: PaletteAction): PaletteAction[] =>
  isOffered(operation) ? [action] : []
