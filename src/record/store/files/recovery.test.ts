import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decisionFile } from '../../../../test/contract/decision-text.ts'
import { ORIGIN, titles, useFileRecord, write } from '../../../../test/file-record.ts'
import type { Store } from '../../ports/store.ts'
import { sha256 } from '../record-text.ts'
import { encodeIntent, type Intent } from './intent.ts'

const { at, home, open, put, state } = useFileRecord()

const ID = '01JQAAAAAAAAAAAAAAAAAAAAAA'

describe('after a crash', () => {
  const EVENT =
    '{"event_version":1,"id":"e1","at":"2026-01-01T00:00:00.000Z","operation":"edit","origin":{"surface":"cli"},"facts":{},"files":{}}\n'
  const intent: Intent = {
    id: ID,
    writes: [
      { path: 'project.md', text: 'new', before: sha256('old') },
      { path: 'context/x.md', text: 'x', before: null },
    ],
    removes: [{ path: 'stack.md', before: sha256('s') }],
    appends: [{ path: 'journal/events.jsonl', offset: 0, text: EVENT }],
  }
  const leave = (text: string, name = `${ID}.intent`) => {
    mkdirSync(state(), { recursive: true })
    writeFileSync(state(name), text)
  }
  const litter = () => [
    ...readdirSync(at(), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.ken-')),
    ...readdirSync(state()).filter((name) => name !== 'lock' && name !== 'head.json'),
  ]
  const expectFinished = async (store: Store) => {
    expect([await store.read('project.md'), await store.read('context/x.md'), await store.read('stack.md')]).toEqual([
      'new',
      'x',
      undefined,
    ])
    expect((await store.journal()).map((e) => e.id)).toEqual(['e1'])
    expect(litter()).toEqual([])
  }
  const expectUndone = async (store: Store) => {
    expect([await store.read('project.md'), await store.read('context/x.md'), await store.read('stack.md')]).toEqual([
      'old',
      undefined,
      's',
    ])
    expect(await store.journal()).toEqual([])
    expect(litter()).toEqual([])
  }

  test('a complete intent is finished by the next process that opens the record', async () => {
    put({ 'project.md': 'old', 'stack.md': 's', [`.ken-${ID}.0.new`]: 'new', [`context/.ken-${ID}.1.new`]: '' })
    leave(encodeIntent(intent))
    await expectFinished(await open())
  })

  test('a half-applied intent is finished, and finishing it is idempotent', async () => {
    put({
      'project.md': 'new',
      [`.ken-${ID}.0.old`]: 'old',
      [`.ken-${ID}.0.gone`]: 's',
      'journal/events.jsonl': EVENT.slice(0, 20),
    })
    leave(encodeIntent(intent))
    await expectFinished(await open())
    leave(encodeIntent(intent))
    await expectFinished(await open())
  })

  test('an abandoned change is undone, and undoing it is idempotent', async () => {
    put({
      'project.md': 'new',
      [`.ken-${ID}.0.old`]: 'old',
      'context/x.md': 'x',
      [`.ken-${ID}.0.gone`]: 's',
      'journal/events.jsonl': EVENT.slice(0, 20),
    })
    leave(encodeIntent(intent), `${ID}.undo`)
    await expectUndone(await open())
    leave(encodeIntent(intent), `${ID}.undo`)
    await expectUndone(await open())
  })

  test('a change is dropped if its files were written since', async () => {
    put({ 'project.md': 'from another branch', 'context/x.md': 'x', 'stack.md': 's' })
    leave(encodeIntent(intent))
    const store = await open()
    expect([await store.read('project.md'), await store.read('context/x.md'), await store.read('stack.md')]).toEqual([
      'from another branch',
      undefined,
      's',
    ])
    expect([await store.journal(), litter()]).toEqual([[], []])
  })

  test('an intent whose last line was written is not applied over later changes', async () => {
    put({ 'project.md': 'newer', 'context/x.md': 'newer', 'journal/events.jsonl': EVENT + EVENT.replace('e1', 'e2') })
    leave(encodeIntent(intent))
    const store = await open()
    expect([await store.read('project.md'), (await store.journal()).length]).toEqual(['newer', 2])
  })

  test('a torn intent is dropped', async () => {
    put({ 'project.md': 'old', 'stack.md': 's' })
    leave(encodeIntent(intent).slice(0, -5))
    await expectUndone(await open())
  })

  test('a running process also sees the finished change', async () => {
    const store = await open()
    await store.catalogue()
    const [path, text] = decisionFile(1, 'One')
    leave(encodeIntent({ ...intent, writes: [{ path, text, before: null }], removes: [] }))
    expect(await titles(store)).toEqual(['One'])
  })

  test('an intent of another process that is still committing is ignored', async () => {
    put({ 'project.md': 'old', 'stack.md': 's' })
    const [writer, reader] = [await open(), await open()]
    await writer.commit(ORIGIN, async () => {
      leave(encodeIntent(intent))
      await reader.catalogue()
      expect(await reader.read('project.md')).toBe('old')
      rmSync(state(`${ID}.intent`))
    })
  })

  test('an intent that points outside the record is refused', async () => {
    leave(encodeIntent({ ...intent, writes: [{ path: '../evil.md', text: 'x', before: null }] }))
    await open()
    await expect(write(await open(), { 'project.md': 'x' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(existsSync(join(home(), 'evil.md'))).toBe(false)
  })

  test('crash state inside the record is foreign, and is neither finished nor removed', async () => {
    put({ 'project.md': 'old', [`.txn/${ID}.intent`]: encodeIntent(intent) })
    const store = await open()
    await write(store, { 'context/y.md': 'y' })
    expect([await store.read('project.md'), readFileSync(at('.txn', `${ID}.intent`), 'utf8')]).toEqual([
      'old',
      encodeIntent(intent),
    ])
  })

  test('an intent whose id is a path to other files is not treated as crash state', async () => {
    put({ 'project.md': 'old' })
    leave(encodeIntent({ ...intent, id: '../../x' }), `${ID}.intent`)
    const store = await open()
    expect(await store.read('project.md')).toBe('old')
  })
})
