// Measures the verdicts of a search: `npm run eval -- --only memory-verdicts --data <folder>`. Positives are questions
// whose first hit holds the evidence, judged by the verdict on that hit. Negatives are questions about other
// conversations of the same set, and those about something never said: in LoCoMo mostly of the other person, in BEAM of
// a subject that was discussed. They are judged by the best verdict on any hit. Halves are by a hash of the question.
import { join } from 'node:path'
import { strongest } from '../src/retrieval/domain/ranking/verdict.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import type { LabelledPart } from './labelled-sets.ts'
import { indexPart } from './product-index.ts'
import { readBeam, readLocomoSessions } from './read-sets.ts'
import { EVERY_SET, HALVES, type Figure, type Half, type SuiteOptions } from './suite.ts'

const MODEL = join(import.meta.dirname, '../models/static-256/model.bin')
/** Number of questions about other conversations that are asked of each conversation. */
const OTHERS = 60

type Kind = 'found' | 'missed' | 'about another conversation' | 'never said'

interface Asked {
  readonly kind: Kind
  readonly half: Half
  readonly verdict: string
}

export async function memoryVerdictFigures({ data, leaveOut }: SuiteOptions): Promise<Figure[]> {
  if (data === undefined) {
    leaveOut(EVERY_SET, 'the labelled sets are not here')
    return []
  }
  return [
    ...figuresOf('LoCoMo sessions', await askAll(readLocomoSessions(join(data, 'locomo/locomo10.json')))),
    ...figuresOf('BEAM 100K messages', await askAll(readBeam(join(data, 'beam/100K'), { isWithUnanswered: true }))),
  ]
}

async function askAll(parts: readonly LabelledPart[]): Promise<Asked[]> {
  const embedder = openStaticEmbedder(MODEL)
  const asked: Asked[] = []
  for (const [at, part] of parts.entries()) {
    const index = await indexPart(part, { embedder })
    for (const { text, relevant, isTrap } of part.queries) {
      const { first, verdicts } = await index.judged(text)
      const kind = isTrap ? 'never said' : first !== undefined && relevant.has(first) ? 'found' : 'missed'
      asked.push({ kind, half: halfOf(text), verdict: kind === 'found' ? verdicts[0]! : strongest(verdicts) })
    }
    const others = parts.flatMap((other) => (other === part ? [] : other.queries)).filter(({ isTrap }) => !isTrap)
    for (let i = 0; i < OTHERS; i++) {
      const { text } = others[(i * 7_919 + at * 104_729) % others.length]!
      const { verdicts } = await index.judged(text)
      asked.push({ kind: 'about another conversation', half: halfOf(text), verdict: strongest(verdicts) })
    }
    await index.close()
  }
  await embedder.close()
  return asked
}

function figuresOf(set: string, asked: readonly Asked[]): Figure[] {
  return HALVES.flatMap((half) =>
    (['found', 'missed', 'about another conversation', 'never said'] as const).flatMap((kind): Figure[] => {
      const own = asked.filter((one) => one.half === half && one.kind === kind)
      if (own.length === 0) return []
      const share = (verdicts: readonly string[]) =>
        own.filter(({ verdict }) => verdicts.includes(verdict)).length / own.length
      const better = kind === 'found' ? 'higher' : 'lower'
      const told = { set, half, measure: `${kind}: told`, value: share(['strong', 'related']), better } as const
      const strong = { set, half, measure: `${kind}: told strong`, value: share(['strong']), better } as const
      return [
        { ...told, tolerance: 0.01 },
        { ...strong, tolerance: 0.01 },
      ]
    }),
  )
}

function halfOf(text: string): Half {
  let hash = 7
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
  return (hash >>> 3) % 2 === 0 ? 'tuned' : 'kept back'
}
