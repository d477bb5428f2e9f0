import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stepClock } from '../../../../test/contract/step-clock.ts'
import { PROJECT, useFileRecord, write } from '../../../../test/file-record.ts'
import type { Store } from '../../ports/store.ts'

const { at, home, open, put } = useFileRecord()
const journal = () => at('journal', 'events.jsonl')
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n')
const found = async (store: Store) => (await store.verify()).map((d) => [d.path, d.kind])
const DAMAGED = ['journal/events.jsonl', 'damaged']

async function written(count: number, options: Parameters<typeof open>[0] = {}): Promise<Store> {
  const store = await open(options)
  for (let n = 1; n <= count; n++)
    await write(store, { 'project.md': `state ${n}\n` }, n % 2 === 0 ? `n${n}` : undefined)
  expect(await store.verify()).toEqual([])
  return store
}

describe('the journal', () => {
  test('is reported if it is gone', async () => {
    const store = await written(3)
    rmSync(at('journal'), { recursive: true })
    expect(await found(store)).toContainEqual(['journal/events.jsonl', 'missing'])
  })

  test('is reported as gone even without a head file, if snapshots show that it existed', async () => {
    const store = await written(3)
    rmSync(at('journal'), { recursive: true })
    rmSync(join(home(), 'state'), { recursive: true })
    expect(await found(store)).toContainEqual(['journal/events.jsonl', 'missing'])
  })

  test('is reported if its last lines were cut off, even after later writes by Ken', async () => {
    const store = await written(4)
    writeFileSync(journal(), `${linesOf(journal()).slice(0, 3).join('\n')}\n`)
    writeFileSync(at('project.md'), 'state 3\n')
    expect(await found(store)).toEqual([DAMAGED])
    await write(store, { 'stack.md': 's' })
    expect(await found(store)).toEqual([DAMAGED])
  })

  test('is reported if it was replaced by another valid one', async () => {
    const store = await written(4)
    const other = await open({ root: join(home(), 'other'), clock: stepClock('2026-05-01T00:00:00.000Z') })
    for (let n = 1; n <= 4; n++) await write(other, { 'project.md': `state ${n}\n` })
    cpSync(join(home(), 'other', 'journal', 'events.jsonl'), journal())
    expect(await found(store)).toContainEqual(DAMAGED)
  })

  test('is reported if lines were replaced with new hashes, because every event pins the previous one', async () => {
    const store = await written(4)
    const lines = linesOf(journal())
    writeFileSync(journal(), [lines[0], lines[1]!.replace('"cli"', '"mcp-stdio"'), ...lines.slice(2), ''].join('\n'))
    expect(await found(store)).toContainEqual(DAMAGED)
  })

  test('is reported if a line was inserted or removed, or empty lines were added', async () => {
    const store = await written(4)
    const lines = linesOf(journal())
    for (const changed of [
      [lines[0], '{"by":"someone"}', ...lines.slice(1)],
      [lines[0], ...lines.slice(2)],
      [lines[0], '', ...lines.slice(1)],
    ]) {
      writeFileSync(journal(), `${changed.join('\n')}\n`)
      expect(await found(store)).toContainEqual(DAMAGED)
    }
  })

  test('tampering in a copy of the record is detected from the journal lines alone', async () => {
    await written(4)
    cpSync(at(), join(home(), 'copy'), { recursive: true })
    const copied = join(home(), 'copy', 'journal', 'events.jsonl')
    const text = readFileSync(copied, 'utf8')
    for (const from of ['"cli"', '"edit"', '"seal"', '"pins"', '"files"']) {
      writeFileSync(
        copied,
        text.slice(0, text.lastIndexOf(from)) +
          from.replace(/[a-z]"$/, 'x"') +
          text.slice(text.lastIndexOf(from) + from.length),
      )
      expect(await found(await open({ root: join(home(), 'copy') }))).toContainEqual(DAMAGED)
    }
  })

  test('continues after lines from other programs, which the next event pins', async () => {
    const store = await written(2)
    appendFileSync(journal(), '{"of":"another program"}\n')
    expect(await store.verify()).toEqual([])
    await write(store, { 'stack.md': 's' })
    expect(await store.verify()).toEqual([])
    writeFileSync(journal(), readFileSync(journal(), 'utf8').replace('another program', 'another_program'))
    expect(await found(store)).toContainEqual(DAMAGED)
  })

  test('a journal from before the hash chain is accepted as it is, and pinned by the next event', async () => {
    const old = (id: string, text: string) =>
      JSON.stringify({
        event_version: 1,
        id,
        at: '2026-01-01T00:00:00.000Z',
        operation: 'edit',
        origin: { surface: 'cli' },
        facts: {},
        files: { 'project.md': text },
      })
    const hash = '148de9c5a7a44d19e56cd9ae1a554bf67847afb0c58f6e12fa29ac7ddfca9940'
    put({ 'project.md': 'p', 'journal/events.jsonl': `${old('one', 'x')}\n${old('two', hash)}\n` })
    const store = await open()
    const { discrepancies, notes } = await store.care.inspect()
    expect([discrepancies, notes]).toEqual([[], [expect.stringContaining('for the first time')]])
    expect((await store.care.inspect()).notes).toEqual([])
    await write(store, { 'stack.md': 's' })
    expect(await store.verify()).toEqual([])
    rmSync(join(home(), 'state'), { recursive: true })
    writeFileSync(journal(), readFileSync(journal(), 'utf8').replace('"id":"one"', '"id":"eno"'))
    expect(await found(store)).toContainEqual(DAMAGED)
  })

  test('is clean after a person accepts the loss, and is still checked', async () => {
    const store = await written(4)
    writeFileSync(journal(), `${linesOf(journal()).slice(0, 3).join('\n')}\n`)
    writeFileSync(at('project.md'), 'state 3\n')
    const about = (await store.verify()).flatMap((d) => d.about ?? [])
    await store.commit({ surface: 'cli' }, async (draft) => draft.note('accept', { gave_up: about }))
    expect(await store.verify()).toEqual([])
    writeFileSync(journal(), `${linesOf(journal()).slice(0, 2).join('\n')}\n`)
    expect(await found(store)).toContainEqual(DAMAGED)
  })

  test('may be written by another user of the same record, and the head on this machine is updated', async () => {
    const store = await written(2)
    const elsewhere = await open({
      stateDir: join(home(), 'other-home'),
      clock: { ...stepClock('2026-04-01T00:00:00.000Z'), uuid: randomUUID },
    })
    await write(elsewhere, { 'stack.md': 'theirs' })
    const { discrepancies, notes } = await store.care.inspect()
    expect([discrepancies, notes]).toEqual([[], ['1 line came into the journal since this machine last looked.']])
  })
})

describe('in a repository', () => {
  const root = () => join(home(), 'repo', '.ken', 'record')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ken Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: join(home(), 'repo'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const openRepo = () => open({ root: root(), project: { ...PROJECT, mode: 'repo' } })
  const commit = (message: string) => void (git('add', '-A'), git('commit', '-qm', message))

  async function history(): Promise<Store> {
    mkdirSync(join(home(), 'repo', '.ken'), { recursive: true })
    git('init', '-q', '-b', 'main')
    const store = await openRepo()
    await write(store, { 'project.md': 'one\n' })
    commit('one')
    await write(store, { 'project.md': 'two\n' })
    commit('two')
    return store
  }

  test('an older checked-out commit is not a loss, and is reported in a note', async () => {
    const store = await history()
    git('checkout', '-q', 'HEAD~1')
    const { discrepancies, notes } = await store.care.inspect()
    expect([discrepancies, notes]).toEqual([[], [expect.stringContaining('git has checked out')]])
    git('checkout', '-q', 'main')
    expect(await store.care.inspect()).toEqual({ discrepancies: [], notes: [] })
  })

  test('a merge in an untrusted record is not settled, only reported', async () => {
    await history()
    const decision = (title: string) =>
      `---\ndate: 2026-01-01\nversion: 1\nstatus: active\nconfidence: high\n---\n# 003 — ${title}\n`
    writeFileSync(join(root(), 'decisions', '003-cache.md'), decision('Cache'))
    const lines: string[] = []
    const openClone = () =>
      open({ root: root(), project: { ...PROJECT, mode: 'repo', fromClone: true }, told: (line) => lines.push(line) })
    await openClone()
    expect(lines).toEqual([])
    writeFileSync(join(root(), 'decisions', '003-queue.md'), decision('Queue'))
    await openClone()
    expect(lines).toEqual([expect.stringMatching(/not settled.*may name two decisions.*ken trust/)])
    expect(readdirSync(join(root(), 'decisions'))).toEqual(['003-cache.md', '003-queue.md'])
  })

  test('git files beside the record are reported if they differ from the files that Ken wrote', async () => {
    const store = await history()
    const [attributes, ignored] = [join(root(), '.gitattributes'), join(root(), 'snapshots', '.gitignore')]
    const sound = readFileSync(attributes, 'utf8')
    writeFileSync(attributes, sound.replaceAll('\n', '\r\n'))
    expect(await found(store)).toEqual([])
    writeFileSync(attributes, `${sound}decisions/*.md merge=union\n`)
    expect(await found(store)).toEqual([['.gitattributes', 'edited']])
    rmSync(attributes)
    expect(await found(store)).toEqual([['.gitattributes', 'missing']])
    expect(await store.care.lastKnown('.gitattributes')).toEqual({ text: sound, holder: 'Ken' })
    writeFileSync(attributes, sound)
    writeFileSync(ignored, '!*\n')
    expect(await found(store)).toEqual([['snapshots/.gitignore', 'damaged']])
    writeFileSync(ignored, '*\n')
    await write(store, { 'project.md': 'three\n' }, 'three')
    rmSync(ignored)
    expect(await found(store)).toEqual([['snapshots/.gitignore', 'damaged']])
    await write(store, { 'project.md': 'four\n' })
    expect(await found(store)).toEqual([])
  })

  test('truncated lines that were not committed yet are a loss', async () => {
    const store = await history()
    await write(store, { 'project.md': 'three\n' })
    await write(store, { 'project.md': 'four\n' })
    const path = join(root(), 'journal', 'events.jsonl')
    writeFileSync(path, `${linesOf(path).slice(0, -1).join('\n')}\n`)
    writeFileSync(join(root(), 'project.md'), 'three\n')
    expect(await found(store)).toEqual([DAMAGED])
  })

  test('a journal not seen here before is compared with the one in git', async () => {
    const store = await history()
    rmSync(join(home(), 'state'), { recursive: true })
    rmSync(join(root(), 'snapshots'), { recursive: true })
    const path = join(root(), 'journal', 'events.jsonl')
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    expect(await found(store)).toContainEqual(['journal/events.jsonl', 'missing'])
    writeFileSync(path, `${text.split('\n')[0]}\n`)
    expect(await found(store)).toContainEqual(DAMAGED)
  })

  test('a journal deleted before its first commit is reported', async () => {
    mkdirSync(join(home(), 'repo', '.ken'), { recursive: true })
    git('init', '-q', '-b', 'main')
    const store = await openRepo()
    await write(store, { 'project.md': 'one\n' })
    rmSync(join(root(), 'journal'), { recursive: true })
    expect(await found(store)).toContainEqual(['journal/events.jsonl', 'missing'])
  })

  test('a branch without a record has not lost its journal', async () => {
    mkdirSync(join(home(), 'repo', '.ken'), { recursive: true })
    git('init', '-q', '-b', 'main')
    git('commit', '-q', '--allow-empty', '-m', 'nothing')
    git('branch', 'empty')
    const store = await openRepo()
    await write(store, { 'project.md': 'one\n' })
    commit('one')
    git('checkout', '-q', 'empty')
    expect(readdirSync(root())).not.toContain('journal')
    expect(await store.verify()).toEqual([])
  })
})
