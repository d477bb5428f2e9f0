import { keep, kept, readKept } from '../kit/kept-text.ts'
import { Store } from '../kit/store.ts'

export interface RecentPlace {
  /** URL without the origin. */
  readonly href: string
  readonly title: string
}

const KEY = 'ken.recent'
const MOST = 12

/** Recent places, newest first. */
export const recentPlaces = new Store<readonly RecentPlace[]>(read(kept(KEY)))

export function addRecent(place: RecentPlace): void {
  const next = withRecent(recentPlaces.get(), place)
  recentPlaces.set(next)
  keep(KEY, JSON.stringify(next))
}

/** Removes memory pages, so that no title or query of a forgotten item remains. */
export function forgetRecentMemory(): void {
  const next = withoutMemory(recentPlaces.get())
  recentPlaces.set(next)
  keep(KEY, JSON.stringify(next))
}

export const withoutMemory = (all: readonly RecentPlace[]): readonly RecentPlace[] =>
  all.filter(({ href }) => !/^\/[^/]+\/memory(?:[/?#]|$)/.test(href))

/** Keeps one entry per path, so that a filter typed letter by letter does not add a dozen places. */
const withRecent = (all: readonly RecentPlace[], place: RecentPlace): readonly RecentPlace[] =>
  [place, ...all.filter(({ href }) => pathOf(href) !== pathOf(place.href))].slice(0, MOST)

const pathOf = (href: string): string => href.split(/[?#]/)[0]!

function read(text: string | undefined): readonly RecentPlace[] {
  const all = readKept(text)
  return Array.isArray(all) ? all.filter(isPlace).slice(0, MOST) : []
}

// Hoisted: stored places are read while this module loads.
function isPlace(one: unknown): one is RecentPlace {
  const { href, title } = (one ?? {}) as Partial<RecentPlace>
  return typeof href === 'string' && /^\/(?!\/)/.test(href) && typeof title === 'string'
}
