import { type Tone, marked } from './styled.ts'

/** Reader of an answer: an agent through a server, a program behind a pipe, or a person at a terminal. */
export type Reader = 'agent' | 'pipe' | 'person'

/** Target of a renderer. Data may be cut, dated by its age and marked only as far as this allows. */
export interface View {
  readonly reader: Reader
  /** Maximum columns of a line; Infinity if nothing is to be cut. */
  readonly width: number
  /** Set if times are shown as ages. */
  readonly now: Date | undefined
  /** Also shows the numbers behind the words. */
  readonly verbose: boolean
  /** Text with its tone, or unchanged if there are none. */
  mark(tone: Tone, text: string): string
}

/** For agents, and for text inserted into other text. */
export const PLAIN: View = plainView('agent')

export function plainView(reader: Reader): View {
  return { reader, width: Infinity, now: undefined, verbose: false, mark: (_tone, text) => text }
}

export interface Screen {
  /** Undefined if no person reads. */
  readonly columns: number | undefined
  readonly now: Date
  readonly hasColour: boolean
  readonly verbose: boolean
}

/** For the command line. Cut lines and ages are only for a person: a program needs everything, every time. */
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

/** Below this no layout is possible; the terminal wraps then. */
const NARROWEST = 20
