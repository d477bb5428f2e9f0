import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'
import { openSqliteState } from '../src/database/state/sqlite/index.ts'
import { at, chat, ended, memory, message, query, vote } from './contract/analyst-samples.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-state-file-'))
let files = 0
const freshPath = () => join(base, `state-${++files}.db`)
afterAll(() => rmSync(base, { recursive: true, force: true }))

const PAGE = 4096

/** A file with tombstones and chats on interleaved pages. */
async function fileWithBoth(): Promise<string> {
  const path = freshPath()
  const state = openSqliteState(path)
  const analyst = await openSqliteAnalystState(path)
  await analyst.chats.start(chat('c1'))
  for (let n = 0; n < 40; n++) {
    await state.bury([
      { client: 'codex', session: `tomb-${n}-${'t'.repeat(300)}`, why: 'forgotten', ended: 'e', at: 'a' },
    ])
    await analyst.log.begin(message(`m${n}`), [{ kind: 'text', text: `${'chatter '.repeat(900)}` }])
  }
  await analyst.close()
  await state.close()
  return path
}

test.skipIf(process.platform === 'win32')('only its owner may read it', async () => {
  const path = freshPath()
  const state = await openSqliteAnalystState(path)
  await state.chats.start(chat('c1'))
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777, file).toBe(0o600)
  await state.close()
})

test('leaves no swept or erased data in the file or in the files next to it', async () => {
  const path = freshPath()
  const state = await openSqliteAnalystState(path)
  const word = 'quokkasecret'
  await state.chats.start(chat('c1', { title: word }))
  await state.chats.start(chat('c2'))
  const [number] = await state.log.begin(message('m1'), [
    { kind: 'text', text: word },
    { kind: 'result', call: 'k', tool: 't', text: word.repeat(1000), failed: false },
  ])
  for (let n = 1; n < 20; n++) await state.log.grow('c1', number!, `${word} `.repeat(n * 50))
  await state.log.end('m1', ended)
  await state.queries.keep(query('q_1', { rows: [[word]] }))
  await state.feedback.give(vote('m1', { reason: word }), [])
  await state.memories.apply('ada', [{ kind: 'add', row: memory('r1', { content: word, evidence: { words: word } }) }])
  const bytes = (): string =>
    [path, `${path}-wal`].map((file) => (existsSync(file) ? readFileSync(file, 'latin1') : '')).join('')
  expect(bytes()).toContain(word)
  await state.memories.apply('ada', [{ kind: 'erase', id: 'r1', at: at(8) }])
  await state.chats.change('c1', { deletedAt: at(9) })
  await state.chats.sweep(at(10))
  expect(bytes()).not.toContain(word)
  expect(await state.chats.find('c2', 'ada')).toBeDefined()
  await state.close()
})

test('a chat with damaged pages is named, and the tombstones beside it are still read', async () => {
  const path = await fileWithBoth()
  const bytes = readFileSync(path)
  for (let page = 1; page < bytes.length / PAGE; page++) {
    const whole = bytes.subarray(page * PAGE, (page + 1) * PAGE)
    if (whole.includes('chatter') && !whole.includes('tomb-')) whole.fill(0xff)
  }
  writeFileSync(path, bytes)
  const state = openSqliteState(path)
  expect(await state.tombstones()).toHaveLength(40)
  await state.close()
  const analyst = await openSqliteAnalystState(path)
  await expect(analyst.log.parts('c1', 0)).rejects.toMatchObject({
    code: 'damaged',
    hint: expect.stringContaining('backup'),
  })
  await analyst.close()
})

test('a lost or changed tombstone in a file full of chats is detected', async () => {
  const path = await fileWithBoth()
  const sound = readFileSync(path)
  for (let place = sound.indexOf('tomb-'), n = 0; n < 40; place = sound.indexOf('tomb-', place + 1), n++) {
    const damaged = Buffer.from(sound)
    damaged[place + 5]! ^= 3
    writeFileSync(path, damaged)
    expect(() => openSqliteState(path), String(place)).toThrow(expect.objectContaining({ code: 'damaged' }))
  }
  for (let page = 1; page < sound.length / PAGE; page++) {
    if (!sound.subarray(page * PAGE, (page + 1) * PAGE).includes('tomb-')) continue
    const damaged = Buffer.from(sound)
    damaged.fill(0, page * PAGE, (page + 1) * PAGE)
    writeFileSync(path, damaged)
    expect(() => openSqliteState(path), `page ${page}`).toThrow(expect.objectContaining({ code: 'damaged' }))
  }
})

test('invalid JSON is reported as damage, in one line', async () => {
  const path = await fileWithBoth()
  const database = new DatabaseSync(path)
  database.exec(`UPDATE chat_part SET body = '{"carry":' WHERE number = 3`)
  database.close()
  const analyst = await openSqliteAnalystState(path)
  await expect(analyst.log.parts('c1', 0)).rejects.toMatchObject({ code: 'damaged' })
  expect(await analyst.log.parts('c1', 3)).toHaveLength(37)
  await analyst.close()
})

test.each([
  [
    'no database',
    (path: string) => writeFileSync(path, 'this is no database at all, and long enough '.repeat(40)),
    'damaged',
  ],
  ['a folder', (path: string) => mkdirSync(path), 'damaged'],
  [
    'a file of a newer Ken',
    (path: string) => {
      const database = new DatabaseSync(path)
      database.exec('CREATE TABLE later (x); PRAGMA user_version = 99')
      database.close()
    },
    'unavailable',
  ],
])('%s is refused and not changed', async (_, make, code) => {
  const path = freshPath()
  make(path)
  const before = existsSync(path) && !isFolder(path) ? readFileSync(path) : undefined
  await expect(openSqliteAnalystState(path)).rejects.toMatchObject({ code, hint: expect.stringMatching(/./) })
  expect(before === undefined ? undefined : readFileSync(path)).toEqual(before)
})

test('one process sees the writes of another, and neither loses anything', async () => {
  const path = freshPath()
  const [one, two] = [await openSqliteAnalystState(path), await openSqliteAnalystState(path)]
  await one.chats.start(chat('c1'))
  const both = [one, two].flatMap((state, side) =>
    Array.from({ length: 50 }, (_, n) =>
      state.log.begin(message(`m-${side}-${n}`), [{ kind: 'notice', text: `${n}` }]),
    ),
  )
  const numbers = (await Promise.all(both)).flat()
  expect(new Set(numbers).size).toBe(100)
  expect((await two.log.parts('c1', 0)).map(({ number }) => number)).toEqual(
    Array.from({ length: 100 }, (_, n) => n + 1),
  )
  await one.close()
  await two.close()
})

const isFolder = (path: string): boolean => {
  try {
    readFileSync(path)
    return false
  } catch {
    return true
  }
}
