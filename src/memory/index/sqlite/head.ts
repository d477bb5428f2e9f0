import type { SQLInputValue } from 'node:sqlite'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import { mustBe, sealOf } from './seal.ts'

/** State of the whole index at one moment. */
export interface Head {
  /** Incremented on every write. */
  generation: number
  /** Incremented when chunks are renumbered. */
  epoch: number
  nextChunk: number
  /** 1 while the index is being rebuilt: missing entries may still be added. */
  unfinished: number
  /** Tally of the seals of all places; likewise for segments and shelves. */
  places: number
  segments: number
  shelves: number
}

type Rows = (sql: string, ...values: SQLInputValue[]) => SQLInputValue[][]
type Run = (sql: string, ...values: SQLInputValue[]) => void

export const newHead = (): Head => ({
  generation: 0,
  epoch: 0,
  nextChunk: 0,
  unfinished: 0,
  places: 0,
  segments: 0,
  shelves: 0,
})

export function readHead(rows: Rows): Head {
  const [row] = rows(
    'SELECT generation, epoch, next_chunk, unfinished, places, segments, shelves, seal FROM head WHERE one = 1',
  ) as [number, number, number, number, number, number, number, number][]
  if (row === undefined) throw new IndexDamaged('its head is gone')
  const [generation, epoch, nextChunk, unfinished, places, segments, shelves, seal] = row
  const head = { generation, epoch, nextChunk, unfinished, places, segments, shelves }
  mustBe(sealOfHead(head), seal, 'its head is')
  return head
}

export const writeHead = (run: Run, head: Head): void =>
  run(
    'INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)',
    head.generation,
    head.epoch,
    head.nextChunk,
    head.unfinished,
    head.places,
    head.segments,
    head.shelves,
    sealOfHead(head),
  )

const sealOfHead = ({ generation, epoch, nextChunk, unfinished, places, segments, shelves }: Head): number =>
  sealOf(generation, epoch, nextChunk, unfinished, places, segments, shelves)
