import type { ChartCell, ChartData } from '../chart/chart.ts'
import type { SharedVisibility } from '../chat/chat.ts'
import { rowsThatFit } from '../chat/kept-sizes.ts'
import type { BoundNumber } from './bound-number.ts'
import type { MadeWith } from './story-params.ts'

/** A page of Markdown with charts and tables drawn from queries, stored in versions. */
export interface Story {
  readonly id: string
  readonly user: string
  readonly project: string
  /** The folder of the story's context project. */
  readonly folder: string
  /** The chat in which the story was created. */
  readonly chat?: string
  /** Short name for people, unique in the project. */
  readonly slug: string
  readonly title: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly archivedAt?: string
  /**
   * Five cron fields, in the timezone of the person who set it; undefined if refreshed by hand. `since`: when it was
   * set.
   */
  readonly schedule?: { readonly cron: string; readonly timezone: string; readonly since?: string }
  readonly lastRefresh?: StoryRefresh
  /** Readers other than the story's user; undefined if private. */
  readonly visibility?: SharedVisibility
}

export interface StoryVersion {
  readonly story: string
  /** 1-based version number. */
  readonly version: number
  readonly at: string
  readonly by: 'analyst' | 'person'
  /** Markdown with <chart …/>, <table …/> and <grid>. */
  readonly text: string
}

/** Result of a refresh. A failed refresh keeps the data of the last good one. */
export interface StoryRefresh {
  readonly at: string
  readonly ok: boolean
  readonly problem?: string
}

/** The rows of one story query, as of its last good refresh. */
export interface StoryData {
  readonly story: string
  readonly query: string
  readonly database: string
  readonly sql: string
  /** JSON `{columns, rows, cut}`. */
  readonly result: string
  readonly at: string
}

const LONGEST = 60

/** Command-line name of a story: lower-case ASCII letters, digits and hyphens; empty if nothing is left. */
export function storySlug(title: string): string {
  const words = title
    .slice(0, 1_000)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (words.length <= LONGEST) return words
  const cut = words.slice(0, LONGEST)
  return cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut
}

/** The slug, or the first free one of `slug-2`, `slug-3`. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  const first = slug === '' ? 'story' : slug
  for (let next = 1; ; next++) {
    const candidate = next === 1 ? first : `${first}-${next}`
    if (!isTaken(candidate)) return candidate
  }
}

/** The rows of one query of a story. */
export interface StoryResult extends ChartData {
  /** The result is longer than the stored part. */
  readonly cut: boolean
  /** Numbers in the story's text that are bound to this result. */
  readonly bound?: readonly BoundNumber[] | undefined
  /** Values of the story's parameters that the rows were made with. */
  readonly made?: readonly MadeWith[] | undefined
  /** The row before the last refresh, for a result of one row, by column. */
  readonly was?: Readonly<Record<string, ChartCell>> | undefined
}

/** Serialised form for `StoryData`. */
export function storyResultText({ columns, rows, cut, bound, made, was }: StoryResult): string {
  const kept = rowsThatFit(rows)
  return JSON.stringify({
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: kept,
    cut: cut || kept.length < rows.length,
    ...(bound !== undefined && { bound }),
    ...(made !== undefined && made.length > 0 && { made }),
    ...(was !== undefined && { was }),
  })
}

/** Parses a stored result; undefined if it is invalid: a story without one of its tables is better than none. */
export function readStoryResult(text: string): StoryResult | undefined {
  try {
    const { columns, rows, cut, bound, made, was } = JSON.parse(text) as Partial<StoryResult>
    if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined
    return {
      columns,
      rows,
      cut: cut === true,
      ...(Array.isArray(bound) && { bound }),
      ...(Array.isArray(made) && { made }),
      ...(was !== undefined && { was }),
    }
  } catch {
    return undefined
  }
}
