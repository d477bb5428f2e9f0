import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../api/queries.ts'
import { toasts } from '../kit/toast-store.ts'
import type { InspectorState } from './inspector/use-inspector.ts'
import { useKeys } from './keys/use-keys.ts'
import { PAGES, SETTINGS } from './pages.ts'
import { openPalette } from './palette/palette-state.ts'

/** Keys that work on every page. */
export function useFrameKeys({ inspector, showKeys }: { inspector: InspectorState; showKeys: () => void }): void {
  const project = useProject()
  const navigate = useNavigate()
  useKeys(
    [
      { keys: 'mod+k', does: 'Search or ask', group: 'Everywhere', run: () => openPalette() },
      { keys: '/', does: 'Search', group: 'Everywhere', run: () => openPalette() },
      { keys: '?', does: 'Show keyboard shortcuts', group: 'Everywhere', run: showKeys },
      ...(inspector.hasParts
        ? [{ keys: ']', does: 'Open or close the inspector', group: 'Everywhere', run: inspector.toggle }]
        : []),
      { keys: 'u', does: 'Undo the last action', group: 'Everywhere', run: undoLatest },
      ...[...PAGES, SETTINGS].map(({ name, to, keys }) => ({
        keys,
        does: name,
        group: 'Go to',
        run: () => void navigate({ to, params: { project } }),
      })),
    ],
    // Frame keys change with the page, and page keys take precedence.
    { beneath: true },
  )
}

function undoLatest(): void {
  const latest = toasts.get().findLast(({ action }) => action !== undefined)
  if (latest !== undefined) void toasts.act(latest)
}
