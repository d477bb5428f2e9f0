import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useWriteAheadLog } from './write-ahead-log.ts'

let folder: string
let path: string
let writer: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ken-log-'))
  path = join(folder, 'some.db')
})
afterEach(() => {
  writer?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Starts another process that writes to a database without a log for a while. */
async function somebodyWrites(milliseconds: number): Promise<void> {
  writer = spawn(
    process.execPath,
    [
      '-e',
      // A commit waits for the readers of a process that tries to switch.
      `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 10_000 })
       database.exec('CREATE TABLE IF NOT EXISTS one (line TEXT); BEGIN IMMEDIATE')
       database.exec("INSERT INTO one VALUES ('theirs')")
       console.log('begun')
       setTimeout(() => database.exec('COMMIT'), ${milliseconds})`,
      path,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  await once(writer.stdout!, 'data')
}

test('switches a database to a log once another process has finished writing to it', async () => {
  await somebodyWrites(300)
  const database = new DatabaseSync(path, { timeout: 10_000 })
  useWriteAheadLog(database, 10_000)
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(database.prepare('SELECT line FROM one').all()).toEqual([{ line: 'theirs' }])
  database.close()
})

test('reports busy if another process writes for longer than the timeout', async () => {
  await somebodyWrites(60_000)
  const database = new DatabaseSync(path)
  expect(() => useWriteAheadLog(database, 50)).toThrow('database is locked')
  database.close()
})
