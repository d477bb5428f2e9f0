import { findRejections } from '../src/record/find-rejections.ts'
import type { Store } from '../src/record/ports/store.ts'
/**
 * Measures how well rejected alternatives are found by name in proposals: `node eval/rejections.ts`. Sentences that
 * reintroduce something rejected must name it; for sentences that only mention it, or argue against it, nothing must be
 * found. Sentences at even positions are held out; failures of the others are printed.
 */
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { stepClock } from '../test/contract/step-clock.ts'
import { type Given, recordFiles } from '../test/sample-record.ts'
import { readLines, readRecord } from './rejection-sets.ts'
import { foundAndAlarms, tellReturns, type JudgedReturn } from './returns.ts'
import type { Figure } from './suite.ts'

export interface Judged extends JudgedReturn {
  readonly text: string
  readonly found: readonly string[]
}

export const rejectionFigures = async (): Promise<Figure[]> =>
  foundAndAlarms('labelled sentences', await judgeSentences())

export async function judgeSentences(): Promise<Judged[]> {
  const opened = await openRecord(readRecord())
  // A record in memory is reread for each question; the catalogue is read once, as this record does not change.
  const catalogue = await opened.catalogue()
  const store = { read: opened.read, catalogue: async () => catalogue }
  const returns = readLines('returns').map((line) => {
    const [wanted, text] = line.split(' | ')
    return { text: text!, wanted }
  })
  const mentions = readLines('mentions').map((text) => ({ text, wanted: undefined }))
  return Promise.all([...judgeAll(store, returns), ...judgeAll(store, mentions)])
}

const judgeAll = (
  store: Pick<Store, 'catalogue' | 'read'>,
  sentences: readonly { text: string; wanted: string | undefined }[],
) =>
  sentences.map(async ({ text, wanted }, i) => {
    const found = (await findRejections(store, text)).map(({ alternative }) => alternative)
    const isRight = wanted === undefined ? found.length === 0 : found.includes(wanted)
    return { text, wanted, found, isRight, isUntouched: i % 2 === 0 }
  })

const openRecord = (decisions: readonly Given[]): Promise<Store> =>
  openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: recordFiles(decisions),
  })

if (import.meta.main) {
  const judged = await judgeSentences()
  tellReturns(judged)
  const failed = judged.filter((each) => !each.isRight && (!each.isUntouched || process.argv.includes('--all')))
  for (const { text, wanted, found } of failed)
    console.log(`  ${wanted === undefined ? `false alarm (${found.join(', ')})` : `missed ${wanted}`}: ${text}`)
}
