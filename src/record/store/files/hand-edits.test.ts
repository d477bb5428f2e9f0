import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decisionFile } from '../../../../test/contract/decision-text.ts'
import { PROJECT, titles, useFileRecord, write } from '../../../../test/file-record.ts'

const { at, home, open, put } = useFileRecord()

describe('manual edits', () => {
  test('are seen at once: added, changed in place, renamed, removed', async () => {
    const [one, two] = [decisionFile(1, 'One'), decisionFile(2, 'Two')]
    put(Object.fromEntries([one]))
    const store = await open()
    expect(await titles(store)).toEqual(['One'])
    put(Object.fromEntries([two]))
    expect(await titles(store)).toEqual(['One', 'Two'])
    writeFileSync(at(one[0]), one[1].replace('# 001 — One', '# 001 — Uno'))
    expect(await titles(store)).toEqual(['Uno', 'Two'])
    expect(
      (await store.rank({ text: 'uno', limit: 5, among: 'active', check: false })).hits.map((hit) => hit.entry.num),
    ).toEqual([1])
    unlinkSync(at(two[0]))
    expect(await titles(store)).toEqual(['Uno'])
    writeFileSync(at(one[0]), 'nonsense')
    expect(await store.catalogue()).toMatchObject({ decisions: [], unreadable: [{ path: one[0] }] })
    rmSync(at('decisions'), { recursive: true })
    expect(await titles(store)).toEqual([])
    put(Object.fromEntries([two]))
    expect(await titles(store)).toEqual(['Two'])
  })

  test('are reported by verify, file by file, until a change through Ken covers the file again', async () => {
    const store = await open()
    await write(store, { 'project.md': 'p', 'stack.md': 's', 'state_current.md': 'c' })
    writeFileSync(at('project.md'), 'P')
    unlinkSync(at('stack.md'))
    writeFileSync(at('notes.md'), 'by hand')
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([
      ['notes.md', 'unknown'],
      ['project.md', 'edited'],
      ['stack.md', 'missing'],
    ])
    await write(store, { 'project.md': 'P', 'stack.md': 's', 'notes.md': 'by hand' })
    expect(await store.verify()).toEqual([])
  })

  test('different line ends from a checkout are not an edit', async () => {
    const store = await open()
    await write(store, Object.fromEntries([decisionFile(1, 'One')]))
    writeFileSync(
      at('decisions', '001-one.md'),
      readFileSync(at('decisions', '001-one.md'), 'utf8').replaceAll('\n', '\r\n'),
    )
    expect(await store.verify()).toEqual([])
    expect(await titles(store)).toEqual(['One'])
  })

  test('an older file state in a repository is valid if git checked it out, and an edit otherwise', async () => {
    mkdirSync(join(home(), 'repo', '.ken'), { recursive: true })
    const root = join(home(), 'repo', '.ken', 'record')
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ken Test', '-c', 'user.email=test@example.org', ...args], {
        cwd: join(home(), 'repo'),
        stdio: 'ignore',
      })
    git('init', '-q')
    const store = await open({ root, project: { ...PROJECT, mode: 'repo' } })
    await write(store, { 'project.md': 'one' })
    git('add', '-A')
    git('commit', '-qm', 'one')
    await write(store, { 'project.md': 'two' })
    git('commit', '-qam', 'two')
    writeFileSync(join(root, 'project.md'), 'one')
    expect((await store.verify()).map((d) => d.kind)).toEqual(['edited'])
    git('checkout', '-q', 'HEAD~1', '--', '.ken/record/project.md')
    expect(await store.verify()).toEqual([])
    writeFileSync(join(root, 'project.md'), 'three')
    expect((await store.verify()).map((d) => d.kind)).toEqual(['edited'])
  })

  test('a journal with a torn line can still be written, and the line is reported', async () => {
    const store = await open()
    await write(store, { 'project.md': 'p' })
    appendFileSync(at('journal', 'events.jsonl'), '{"event_version":1,"id"')
    await write(store, { 'stack.md': 's' })
    expect((await store.journal()).map((e) => Object.keys(e.files))).toEqual([['project.md'], ['stack.md']])
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([['journal/events.jsonl', 'damaged']])
  })

  test('events from another program in the journal are kept and skipped', async () => {
    put({
      'journal/events.jsonl': '{"event_version":1,"event_id":"x","operation":"propose","payload_hash":"y"}\n',
      'project.md': 'p',
    })
    const store = await open()
    expect([await store.journal(), await store.verify()]).toEqual([[], []])
    await write(store, { 'stack.md': 's' })
    expect((await store.journal()).map((e) => e.operation)).toEqual(['adopt', 'edit'])
    expect(readFileSync(at('journal', 'events.jsonl'), 'utf8')).toMatch(/^\{"event_version":1,"event_id":"x"/)
  })
})
