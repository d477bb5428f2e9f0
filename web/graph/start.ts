import type { DecisionGraph } from '../../src/record/domain/graph/graph.ts'
import type { GroupKind } from '../../src/record/domain/graph/grouping.ts'
import type { ViewName } from './kit.ts'
import { mountGraph, type GraphState } from './mount-graph.ts'
import type { Theme } from './theme.ts'

const THEME_KEY = 'ken-graph-theme'

/** The page of `ken graph`, which contains the data and keeps the selection in its URL. */
function start(): void {
  const data = JSON.parse(document.querySelector('#graph-data')!.textContent) as DecisionGraph
  const graph = mountGraph(document.querySelector<HTMLElement>('#graph')!, data, {
    state: recall(),
    onState: remember,
    theme: storedTheme(),
    onTheme: storeTheme,
  })
  window.addEventListener('hashchange', () => graph.show(recall()))
}

/** Selection in the URL: `#timeline/topic/D012`; each part may be missing. */
function recall(): Partial<GraphState> {
  const parts = window.location.hash.slice(1).split('/')
  const decision = parts.find((part) => /^D\d+$/.test(part))
  const [view, by] = parts.filter((part) => part !== decision)
  return {
    ...(view ? { view: view as ViewName } : {}),
    ...(by ? { by: by as GroupKind } : {}),
    decision,
  }
}

function remember({ view, by, decision }: GraphState): void {
  const hash = '#' + [view, by, ...(decision === undefined ? [] : [decision])].join('/')
  if (hash !== window.location.hash) window.history.replaceState(null, '', hash)
}

function storedTheme(): Theme {
  try {
    const stored = window.localStorage.getItem(THEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    // Some browsers have no storage for local files.
    return 'system'
  }
}

function storeTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(THEME_KEY, theme)
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
}

start()
