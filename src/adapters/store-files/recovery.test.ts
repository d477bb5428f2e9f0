import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decisionFile } from '../../../test/contract/decision-text.ts'
import { ORIGIN, titles, useFileRecord, write } from '../../../test/file-record.ts'
import type { Store } from '../../ports/store.ts'
import { encodeIntent } from './intent.ts'

const { at, home, open, put } = useFileRecord()

describe('after a crash', () => {
  const EVENT = '{"event_version":1,"id":"e1","at":"2026-01-01T00:00:00.000Z","operation":"edit","origin":{"surface":"cli"},"facts":{},"files":{}}\n'
  const intent = { id: '01A', writes: [{ path: 'project.md', text: 'new' }, { path: 'context/x.md', text: 'x' }], removes: ['stack.md'], appends: [{ path: 'journal/events.jsonl', offset: 0, text: EVENT }] }
  const expectFinished = async (store: Store) => {
    expect([await store.read('project.md'), await store.read('context/x.md'), await store.read('stack.md')]).toEqual(['new', 'x', undefined])
    expect((await store.journal()).map((e) => e.id)).toEqual(['e1'])
    expect(readdirSync(at('.txn')).toSorted()).toEqual(['lock'])
  }

  test('a whole intent is finished by whoever opens the record next', async () => {
    put({ 'project.md': 'old', 'stack.md': 's', '.txn/01A.intent': encodeIntent(intent), '.txn/01A.0.new': 'new', '.txn/01A.1.new': '' })
    await expectFinished(await open())
  })

  test('an intent that was half applied is finished, and doing it twice does no harm', async () => {
    put({ 'project.md': 'new', '.txn/01A.intent': encodeIntent(intent), '.txn/01A.0.old': 'old', '.txn/01A.0.gone': 's', 'journal/events.jsonl': EVENT.slice(0, 20) })
    await expectFinished(await open())
    put({ '.txn/01A.intent': encodeIntent(intent) })
    await expectFinished(await open())
  })

  test('an intent whose last line has landed is not applied over what came after it', async () => {
    put({ 'project.md': 'newer', 'context/x.md': 'newer', '.txn/01A.intent': encodeIntent(intent), 'journal/events.jsonl': EVENT + EVENT.replace('e1', 'e2') })
    const store = await open()
    expect([await store.read('project.md'), (await store.journal()).length]).toEqual(['newer', 2])
  })

  test('a torn intent is dropped', async () => {
    put({ 'project.md': 'old', 'stack.md': 's', '.txn/01A.intent': encodeIntent(intent).slice(0, -5), '.txn/01A.0.new': 'ne' })
    const store = await open()
    expect([await store.read('project.md'), await store.read('stack.md')]).toEqual(['old', 's'])
    expect(readdirSync(at('.txn')).toSorted()).toEqual(['lock'])
  })

  test('a process that is already running sees the change finished, too', async () => {
    const store = await open()
    await store.catalogue()
    const [path, text] = decisionFile(1, 'One')
    put({ '.txn/01A.intent': encodeIntent({ ...intent, writes: [{ path, text }] }) })
    expect(await titles(store)).toEqual(['One'])
  })

  test('while another process lands a change, its intent is left alone', async () => {
    put({ 'project.md': 'old' })
    const [writer, reader] = [await open(), await open()]
    await writer.commit(ORIGIN, async () => {
      put({ '.txn/01A.intent': encodeIntent(intent) })
      await reader.catalogue()
      expect(await reader.read('project.md')).toBe('old')
      rmSync(at('.txn', '01A.intent'))
    })
  })

  test('an intent that points outside of the record is refused', async () => {
    put({ '.txn/01A.intent': encodeIntent({ ...intent, writes: [{ path: '../evil.md', text: 'x' }] }) })
    await open()
    await expect(write(await open(), { 'project.md': 'x' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(existsSync(join(home(), 'evil.md'))).toBe(false)
  })
})
