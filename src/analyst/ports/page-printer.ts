import type { LaidBlock, LaidChart } from '../domain/story/story-blocks.ts'

/** A chart as a picture, and its drawn size. */
export interface PrintedPicture {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

export interface PrintedStory {
  readonly title: string
  /** Notes on the story's data, printed at the end. */
  readonly lines: readonly string[]
  /** Notices about its numbers, printed at the top. */
  readonly notices: readonly string[]
  readonly blocks: readonly LaidBlock[]
  readonly pictures: ReadonlyMap<LaidChart, PrintedPicture>
  readonly at: Date
}

/** Prints a story, without a browser and without the network. */
export interface PagePrinter {
  /** A PDF with page numbers; its text can be searched and copied. */
  pdf(story: PrintedStory): Promise<Uint8Array>
}
