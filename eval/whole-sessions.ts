// Measures whether the lines that a search shows of long sessions contain a message that answers: `npm run eval --
// --only whole-sessions --data <folder>`. Each chat of BEAM, some two hundred messages, is indexed as one session;
// halves are by chat. The baseline is the first three hits if every message is a document.
import { join } from 'node:path'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import { indexPart } from './product-index.ts'
import { readBeam, readBeamSessions, type LabelledLines } from './read-sets.ts'
import { EVERY_SET, HALVES, type Figure, type SuiteOptions } from './suite.ts'

const MODEL = join(import.meta.dirname, '../models/static-256/model.bin')
const SET = 'BEAM 100K chats'
const LIMIT = 10

interface Asked {
  readonly chat: number
  readonly isShown: boolean
  readonly ranges: number
  readonly lines: number
  /** Whether one of three hits contains the answer if every message is a document. */
  readonly isAmongMessages: boolean
}

export async function wholeSessionFigures({ data, leaveOut }: SuiteOptions): Promise<Figure[]> {
  if (data === undefined) {
    leaveOut(EVERY_SET, 'the labelled sets are not here')
    return []
  }
  const folder = join(data, 'beam/100K')
  const messages = readBeam(folder)
  const embedder = openStaticEmbedder(MODEL)
  const asked: Asked[] = []
  for (const [chat, { part, evidence }] of readBeamSessions(folder).entries()) {
    const [whole, single] = [await indexPart(part, { embedder }), await indexPart(messages[chat]!, { embedder })]
    for (const [at, { text }] of part.queries.entries()) {
      const shown = await whole.ranges(text, LIMIT)
      const { relevant } = messages[chat]!.queries[at]!
      asked.push({
        chat,
        isShown: shown.some((range) => evidence[at]!.some((one) => meets(one, range))),
        ranges: shown.length,
        lines: shown.reduce((sum, { startLine, endLine }) => sum + endLine + 1 - startLine, 0),
        isAmongMessages: (await single.search(text, 'both', 3)).some((one) => relevant.has(one)),
      })
    }
    await whole.close()
    await single.close()
  }
  await embedder.close()
  return figuresOf(asked)
}

const meets = (one: LabelledLines, other: LabelledLines): boolean =>
  one.document === other.document && one.startLine <= other.endLine && other.startLine <= one.endLine

function figuresOf(asked: readonly Asked[]): Figure[] {
  return HALVES.flatMap((half, at): Figure[] => {
    const own = asked.filter(({ chat }) => chat % 2 === at)
    const mean = (of: (one: Asked) => number) => own.reduce((sum, one) => sum + of(one), 0) / own.length
    const figure = { set: SET, half, better: 'higher' } as const
    return [
      {
        ...figure,
        measure: 'an answering message in the lines shown',
        value: mean((one) => Number(one.isShown)),
        peer: { name: 'one of three single messages', value: mean((one) => Number(one.isAmongMessages)) },
        tolerance: 0.006,
      },
      { ...figure, measure: 'ranges shown', value: mean(({ ranges }) => ranges), better: 'lower', tolerance: 0.2 },
      { ...figure, measure: 'lines shown', value: mean(({ lines }) => lines), better: 'lower', tolerance: 20 },
    ]
  })
}
