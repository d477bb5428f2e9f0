import type { LaidBlock, LaidChart } from '../domain/story/lay-out-story.ts'

/** A chart as a picture, and how large it was drawn. */
export interface PrintedPicture {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

export interface PrintedStory {
  readonly title: string
  /** What a reader should know of its data; at the end. */
  readonly lines: readonly string[]
  readonly blocks: readonly LaidBlock[]
  readonly pictures: ReadonlyMap<LaidChart, PrintedPicture>
  readonly at: Date
}

/** Puts a story on paper, without a browser and without the network. */
export interface PagePrinter {
  /** A PDF with page numbers; its texts can be searched and copied. */
  pdf(story: PrintedStory): Promise<Uint8Array>
}
