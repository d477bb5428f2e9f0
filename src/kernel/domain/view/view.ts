import { type Tone, marked } from './styled.ts'

/** Who reads an answer: an agent through a server, a program behind a pipe, or a person at a terminal. */
export type Reader = 'agent' | 'pipe' | 'person'

/** What a renderer writes for. Data may be cut, dated by its age and marked only as far as this says. */
export interface View {
  readonly reader: Reader
  /** Columns that a line may take; without end where nothing is to be cut. */
  readonly width: number
  /** Set where times are told as ages. */
  readonly now: Date | undefined
  /** Numbers behind the words are wanted as well. */
  readonly verbose: boolean
  /** The text with its tone, or as it is where there are none. */
  mark(tone: Tone, text: string): string
}

/** For agents, and for text that goes into other text. */
export const PLAIN: View = plainView('agent')

export function plainView(reader: Reader): View {
  return { reader, width: Infinity, now: undefined, verbose: false, mark: (_tone, text) => text }
}

export interface Screen {
  /** Undefined where no person reads. */
  readonly columns: number | undefined
  readonly now: Date
  readonly hasColour: boolean
  readonly verbose: boolean
}

/** For the command line. Lines that are cut and ages are for a person alone: a program needs all of it, every time. */
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

/** Below this nothing can be laid out; the terminal wraps then. */
const NARROWEST = 20
