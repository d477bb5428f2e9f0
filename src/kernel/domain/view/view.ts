import { type Tone, marked } from './styled.ts'

/** Reader of an answer: an agent through a server, a program behind a pipe, or a person at a terminal. */
export type Reader = 'agent' | 'pipe' | 'person'

/** Target of a renderer. Determines whether data may be cut, shown with its age, and marked. */
export interface View {
  readonly reader: Reader
  /** Maximum columns of a line; Infinity if lines are not cut. */
  readonly width: number
  /** Set if times are shown as ages. */
  readonly now: Date | undefined
  /** Whether to also show the numbers that the words stand for. */
  readonly verbose: boolean
  /** Returns the text marked with a tone, or unchanged if the view has no tones. */
  mark(tone: Tone, text: string): string
}

/** View for agents, and for text inserted into other text. */
export const PLAIN: View = plainView('agent')

export function plainView(reader: Reader): View {
  return { reader, width: Infinity, now: undefined, verbose: false, mark: (_tone, text) => text }
}

export interface Screen {
  /** Width of the terminal; undefined if the output is not read by a person. */
  readonly columns: number | undefined
  readonly now: Date
  readonly hasColour: boolean
  readonly verbose: boolean
}

/**
 * View for the command line. Lines are cut and ages shown only for a person: a program needs the full, unchanging
 * output.
 */
export function screenView({ columns, now, hasColour, verbose }: Screen): View {
  const isPerson = columns !== undefined
  return {
    reader: isPerson ? 'person' : 'pipe',
    width: isPerson ? Math.max(columns, NARROWEST) : Infinity,
    now: isPerson ? now : undefined,
    verbose,
    mark: hasColour ? marked : (_tone, text) => text,
  }
}

/** Minimum width of a layout; in a narrower terminal lines wrap. */
const NARROWEST = 20
