import type { Calls } from '../../api/call.ts'

type Browse = Calls['memory_browse']['input']

/** Search state in the URL: the query, its filters, and the previewed hit. */
export interface MemorySearch {
  readonly q?: string
  readonly mode?: 'words' | 'meaning'
  readonly origin?: readonly Origin[]
  readonly workspace?: string
  readonly collection?: readonly string[]
  readonly tags?: readonly string[]
  readonly from?: string
  readonly to?: string
  readonly trust?: readonly Trust[]
  /** The previewed hit: its id, and a line after a colon. */
  readonly at?: string
}

export type Origin = (typeof ORIGINS)[number]
export type Trust = (typeof TRUSTS)[number]

export const ORIGINS = ['session', 'note', 'decision', 'question', 'document', 'context', 'code'] as const
export const TRUSTS = [
  'approved',
  'proposed by an agent',
  'from the clone',
  'compiled',
  'learned',
  'untrusted',
] as const

/** Parses any URL into a valid search; invalid parts are left out. */
export function readMemorySearch(raw: Record<string, unknown>): MemorySearch {
  const [q, workspace, from, to, at] = ['q', 'workspace', 'from', 'to', 'at'].map((name) => text(raw[name]))
  const [collection, tags] = [list(raw['collection']), list(raw['tags'])]
  const origin = list(raw['origin']).filter((one): one is Origin => isOneOf(ORIGINS, one))
  const trust = list(raw['trust']).filter((one): one is Trust => isOneOf(TRUSTS, one))
  const mode = raw['mode'] === 'words' || raw['mode'] === 'meaning' ? raw['mode'] : undefined
  return {
    ...(q !== undefined && { q }),
    ...(mode !== undefined && { mode }),
    ...(origin.length > 0 && { origin }),
    ...(workspace !== undefined && { workspace }),
    ...(collection.length > 0 && { collection }),
    ...(tags.length > 0 && { tags }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(trust.length > 0 && { trust }),
    ...(at !== undefined && { at }),
  }
}

/** Input of the operations; if there is no query, the newest documents exclude code unless a filter names it. */
export function askedFor({ q = '', mode, origin, workspace, collection, tags, from, to, trust }: MemorySearch): Browse {
  const origins = origin ?? (q.trim() === '' ? ORIGINS.filter((one) => one !== 'code') : undefined)
  return {
    query: q,
    mode: mode ?? 'both',
    ...(origins && { origin: [...origins] }),
    ...(workspace !== undefined && { workspace }),
    ...(collection && { collection: [...collection] }),
    ...(tags && { tags: [...tags] }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
    ...(trust && { trust: [...trust] }),
  }
}

/** The search without its filters. */
export const unnarrowed = ({ q, mode }: MemorySearch): MemorySearch => ({
  ...(q !== undefined && { q }),
  ...(mode !== undefined && { mode }),
})

export const isNarrowed = (search: MemorySearch): boolean =>
  Object.keys(search).some((name) => !['q', 'mode', 'at'].includes(name))

/** `1f3c9a02b7aa:12` as id and line. */
export function readPlace(place: string): { readonly id: string; readonly line: number | undefined } {
  const [, id, line] = /^([0-9a-f]{12})(?::(\d{1,9}))?$/.exec(place) ?? []
  return { id: id ?? place, line: line === undefined ? undefined : Number(line) }
}

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== ''
    ? String(value).slice(0, LONGEST)
    : undefined

const list = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) => text(one) ?? []).slice(0, MOST)

const isOneOf = <T extends string>(known: readonly T[], value: string): value is T =>
  (known as readonly string[]).includes(value)

const LONGEST = 2_000
const MOST = 50
