import { expect, test } from 'vitest'
import { foldedParts, homePartFacts } from './home-parts.ts'

const part = (name: string, bytes: number) => ({ name, path: `/home/${name}`, bytes, files: 1 })

test('counts companion files with their database, and merges locks into one line', () => {
  const folded = foldedParts([
    part('.index-lease.db', 0),
    part('.registry-lock.db', 4),
    part('index.db', 100),
    part('index.db-wal', 30),
    part('mine.db-notes', 7),
  ])
  expect(folded).toEqual([
    { ...part('.index-lease.db', 4), name: 'locks', files: 2 },
    { ...part('index.db', 130), files: 2 },
    part('mine.db-notes', 7),
  ])
})

test('an unknown file is never reported as removable', () => {
  expect(homePartFacts('mine.txt')).toMatchObject({ removable: false })
  expect(homePartFacts('constructor')).toMatchObject({ removable: false })
})
