import { IndexDamaged } from '../../../core/index-damaged.ts'
import { chunksFrom } from './chunks.ts'
import { outlinesOf } from './code-graph.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments, coresSince } from './documents.ts'
import { mustBe, plus } from './seal.ts'
import { leavesOf, segmentsOf } from './segments.ts'
import { shelvesOf, vectorsSince } from './shelves.ts'

/** Reads every page and every row. Throws when one of them is not what was written. */
export function examine(database: Pick<IndexDatabase, 'rows' | 'head'>): void {
  const whole = database as IndexDatabase
  const [[verdict]] = database.rows('PRAGMA quick_check(1)') as [[string]]
  if (verdict !== 'ok') throw new IndexDamaged('its file is damaged', new Error(verdict))
  const head = database.head()
  allDocuments(whole)
  const cores = coresSince(whole, -1)
  outlinesOf(
    whole,
    cores.reduce((sum, { outline }) => plus(sum, outline), 0),
  )
  for (const { firstChunk, chunks } of cores)
    mustBe(chunksFrom(whole, firstChunk, chunks).length, chunks, 'the parts of a document are')
  for (const segment of segmentsOf(whole, head)) leavesOf(whole, segment)
  for (const { embedder, tally } of shelvesOf(whole, head))
    mustBe(
      vectorsSince(whole, embedder, -1).reduce((sum, { seal }) => plus(sum, seal), 0),
      tally,
      'its vectors are',
    )
}
