import { keep, kept, readKept } from '../kit/kept-text.ts'
import { Store } from '../kit/store.ts'

export interface RecentPlace {
  /** The address without the origin. */
  readonly href: string
  readonly title: string
}

const KEY = 'ken.recent'
const MOST = 12

/** Where this reader was, the latest first. */
export const recentPlaces = new Store<readonly RecentPlace[]>(read(kept(KEY)))

export function addRecent(place: RecentPlace): void {
  const next = withRecent(recentPlaces.get(), place)
  recentPlaces.set(next)
  keep(KEY, JSON.stringify(next))
}

/** What was forgotten leaves no title behind, and no words that it was looked for by. */
export function forgetRecentMemory(): void {
  const next = withoutMemory(recentPlaces.get())
  recentPlaces.set(next)
  keep(KEY, JSON.stringify(next))
}

export const withoutMemory = (all: readonly RecentPlace[]): readonly RecentPlace[] =>
  all.filter(({ href }) => !/^\/[^/]+\/memory(?:[/?#]|$)/.test(href))

/** One place of a path: a filter that was typed letter by letter is not a dozen places. */
const withRecent = (all: readonly RecentPlace[], place: RecentPlace): readonly RecentPlace[] =>
  [place, ...all.filter(({ href }) => pathOf(href) !== pathOf(place.href))].slice(0, MOST)

const pathOf = (href: string): string => href.split(/[?#]/)[0]!

function read(text: string | undefined): readonly RecentPlace[] {
  const all = readKept(text)
  return Array.isArray(all) ? all.filter(isPlace).slice(0, MOST) : []
}

// Hoisted: what was kept is read while this file is loaded.
function isPlace(one: unknown): one is RecentPlace {
  const { href, title } = (one ?? {}) as Partial<RecentPlace>
  return typeof href === 'string' && /^\/(?!\/)/.test(href) && typeof title === 'string'
}
