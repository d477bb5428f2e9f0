import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useProject } from '../../api/queries.ts'
import { useStore } from '../../kit/store.ts'
import { actions } from '../actions.ts'
import { PAGES, SETTINGS } from '../pages.ts'
import { recentPlaces } from '../recent-places.ts'
import { useGo } from '../use-go.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { isQuestion, rankEntries } from './rank-entries.ts'
import { useFound } from './use-found.ts'

export interface PaletteGroup {
  readonly name: string
  readonly entries: readonly PaletteEntry[]
}

const SHOWN = 30
const RECENT = 5

/** Palette groups for the typed text; `words` is the same text, debounced. */
export function useEntries(typed: string, words: string): { groups: readonly PaletteGroup[]; isPending: boolean } {
  const { pages, recent, doings } = useKnown()
  const found = useFound(words)
  const { ask, search } = useWaysOn(typed.trim())
  if (typed.trim() === '')
    return {
      groups: [
        { name: 'Recent', entries: recent.slice(0, RECENT) },
        { name: 'Pages', entries: pages },
        { name: 'Actions', entries: doings },
      ].filter(({ entries }) => entries.length > 0),
      isPending: false,
    }
  const hits = rankEntries(typed, [...pages, ...doings, ...found.entries, ...recent]).slice(0, SHOWN)
  const entries = isQuestion(typed) ? [ask, ...hits, search] : [...hits, search, ask]
  return { groups: [{ name: 'Results', entries: withoutTwins(entries) }], isPending: found.isPending }
}

/** Merges a recent place with a hit for the same place. */
function withoutTwins(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const titles = new Set(entries.filter(({ kind }) => kind !== 'Recent').map(({ title }) => title))
  return entries.filter(({ kind, title }) => kind !== 'Recent' || !titles.has(title.replace(/^D\d+ · /, '')))
}

/** Entries known without a request: pages, actions, recent places. */
function useKnown() {
  const project = useProject()
  const navigate = useNavigate()
  const router = useRouter()
  const here = useLocation({ select: ({ pathname }) => pathname })
  const doings = useStore(actions).map((action): PaletteEntry => ({
    id: `action-${action.name}`,
    kind: 'Action',
    title: action.name,
    icon: 'play',
    ...action,
  }))
  const pages = [...PAGES, SETTINGS].map(({ name, to, icon, keys }): PaletteEntry => ({
    id: `page-${name}`,
    kind: 'Page',
    title: name,
    icon,
    keys,
    run: () => void navigate({ to, params: { project } }),
  }))
  const recent = useStore(recentPlaces)
    .filter(({ href }) => href.split(/[?#]/)[0] !== here && href.startsWith(`/${encodeURIComponent(project)}`))
    .map(({ href, title }): PaletteEntry => {
      return { id: `recent-${href}`, kind: 'Recent', title, icon: 'clock', run: () => router.history.push(href) }
    })
  return { pages, recent: recent.filter(({ title }) => !pages.some((page) => page.title === title)), doings }
}

/** Fallbacks if there are no or too few hits: search the whole memory, or ask the analyst. */
function useWaysOn(typed: string): { readonly ask: PaletteEntry; readonly search: PaletteEntry } {
  const go = useGo()
  return {
    ask: {
      id: 'ask',
      title: `Ask: ${typed}`,
      icon: 'ask',
      run: () => go.ask(typed),
    },
    search: {
      id: 'search',
      title: `Search memory for “${typed}”`,
      icon: 'search',
      run: () => go.memory(typed),
    },
  }
}
