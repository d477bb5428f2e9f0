import type { ChartData, ChartSpec } from '../chart/chart.ts'
import type { Plot } from '../chart/plot.ts'

/** A parsed story, independent of its output: a page, paper or a terminal. */
export type StoryBlock =
  | TextBlock
  | { readonly kind: 'chart'; readonly line: number; readonly chart: StoryChart }
  | { readonly kind: 'table'; readonly line: number; readonly table: StoryTable }
  | { readonly kind: 'grid'; readonly columns: number; readonly cells: readonly (readonly StoryBlock[])[] }

/** A story block with its rows filled in: everything that a page, a printout or a terminal needs. */
export type LaidBlock =
  | TextBlock
  | LaidChart
  | LaidTable
  | { readonly kind: 'grid'; readonly columns: number; readonly cells: readonly (readonly LaidBlock[])[] }
  /** Replaces a block that could not be drawn. */
  | { readonly kind: 'problem'; readonly text: string }

export interface LaidChart {
  readonly kind: 'chart'
  readonly chart: ChartSpec
  readonly data: ChartData
  readonly plot: Plot
  /** Figures that the last refresh changed. */
  readonly moved?: readonly MovedNumber[]
}

/** A number that the last refresh changed. */
export interface MovedNumber {
  /** Its source: a citation's target, or query and column. */
  readonly place: string
  readonly was: string
  readonly now: string
}

export interface LaidTable {
  readonly kind: 'table'
  readonly title: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isNumber: boolean }[]
  /** Null is distinct from a text. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** States the omitted rows; empty if none. */
  readonly note: string
}

export type TextBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly inside: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly (readonly TextBlock[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly TextBlock[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'rule' }
  /** A hand-written table. */
  | {
      readonly kind: 'rows'
      readonly align: readonly Align[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

export type Align = 'left' | 'center' | 'right'

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'struck'; readonly inside: readonly Inline[] }
  /** Only safe targets: http, https, mailto. */
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] }
  | Figure
  /** Never loaded: opening a story must not contact a third-party server. */
  | { readonly kind: 'image'; readonly href: string; readonly alt: string }
  | { readonly kind: 'break' }

/** A number with its query and column; the query is empty if the number is from no query. */
export interface Figure {
  readonly kind: 'figure'
  readonly place: string
  readonly inside: readonly Inline[]
  /** The problem that a check found, if any. */
  readonly state?: 'differs' | 'unsourced'
  /** The value in the data, or the number as first written. */
  readonly note?: string
  /** The number before the last refresh, if that changed it. */
  readonly was?: string
}

/** The mark after an unreliable number. */
export const figureSign = ({ state, note }: Figure): string =>
  state === undefined ? '' : state === 'unsourced' ? '(?)' : `(≠${note === undefined ? '' : ` ${note}`})`

/** A chart tag as written; resolved once the rows are known. */
export interface StoryChart {
  readonly query: string
  readonly kind: string
  readonly title: string
  readonly x: string | undefined
  /** Columns separated by commas. */
  readonly y: string | undefined
  readonly series_by: string | undefined
}

/** The rows of a query. */
export interface StoryTable {
  readonly query: string
  readonly title: string
  readonly limit: number
}

export interface StoryFault {
  /** 1-based line. */
  readonly line: number
  readonly message: string
}

/** Text of a part without its marks. */
export const plainInline = (inside: readonly Inline[]): string =>
  inside
    .map((one) => {
      if (one.kind === 'text' || one.kind === 'code') return one.text
      if (one.kind === 'break') return ' '
      return one.kind === 'image' ? one.alt : plainInline(one.inside)
    })
    .join('')
