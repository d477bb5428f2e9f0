import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Given } from '../test/sample-record.ts'

const SETS = join(import.meta.dirname, 'sets', 'rejections')

/** The decisions that sentences and diffs are checked against. */
export const readRecord = (): Given[] => JSON.parse(readFileSync(join(SETS, 'record.json'), 'utf8')) as Given[]

/** One sentence per line; a sentence that reintroduces an option names it first. */
export const readLines = (name: 'returns' | 'mentions'): string[] =>
  readFileSync(join(SETS, `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
