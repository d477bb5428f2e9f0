import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useFileRecord, write } from '../../../../test/file-record.ts'
import { closePayload, openPayload } from './snapshot-payload.ts'

const { at, open, put } = useFileRecord()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const MEBIBYTE = 2 ** 20

function packLine(version: number, payload: string, base: number | null = null): string {
  const body = JSON.stringify({
    version,
    timestamp: '2026-01-01T00:00:00.000Z',
    trigger: 't',
    trigger_detail: '',
    token_count: 1,
    decisions: 0,
    base,
    sha256: sha256(payload),
    payload,
  })
  return `${body}\n`
}

const bomb = (json: string) =>
  brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }).toString('base64')

describe('a snapshot designed to exhaust memory', () => {
  const bombs: Record<string, string> = {
    'one text of 200 MB': bomb(
      JSON.stringify({ set: { 'project.md': 'a'.repeat(200 * MEBIBYTE) }, edit: {}, gone: [] }),
    ),
    'nested ten million deep': bomb('['.repeat(10_000_000)),
    'many empty files': bomb(
      JSON.stringify({
        set: Object.fromEntries(Array.from({ length: 500_000 }, (_, n) => [`${n}.md`, ''])),
        edit: {},
        gone: [],
      }),
    ),
  }
  for (const [what, payload] of Object.entries(bombs)) {
    test(`(${what}) is reported as damaged, takes little memory, and blocks no change`, async () => {
      put({ 'project.md': 'p', 'snapshots/pack.jsonl': packLine(1, payload) })
      const store = await open()
      const before = process.memoryUsage().rss
      await expect(store.snapshots.read(1)).rejects.toMatchObject({ code: 'damaged' })
      expect((await store.verify()).map((d) => [d.path, d.kind])).toContainEqual(['snapshots/pack.jsonl', 'damaged'])
      await write(store, { 'project.md': 'q' }, 'after')
      expect((await store.snapshots.read(2))!.files).toEqual({ 'project.md': 'q' })
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * MEBIBYTE)
    })
  }

  test('is also reported if it consists of many small snapshots that build on each other', async () => {
    const part = (n: number) =>
      bomb(JSON.stringify({ set: { [`${n}.md`]: 'b'.repeat(MEBIBYTE - 100) }, edit: {}, gone: [] }))
    put({
      'project.md': 'p',
      'snapshots/pack.jsonl': Array.from({ length: 300 }, (_, n) => packLine(n + 1, part(n), n === 0 ? null : n)).join(
        '',
      ),
    })
    const store = await open()
    await expect(store.snapshots.read(300)).rejects.toMatchObject({ code: 'damaged' })
    expect(Object.keys((await store.snapshots.read(3))!.files)).toHaveLength(3)
  })

  test('is reported regardless of the content of its edits', async () => {
    const edits = [[-1, 0, ''], [0, 1e15, ''], [0.5, 0, ''], ['0', 0, ''], [0, 0], null, 'x']
    for (const edit of edits) {
      put({
        'snapshots/pack.jsonl':
          packLine(1, bomb(JSON.stringify({ set: { 'a.md': 'a' }, edit: {}, gone: [] }))) +
          packLine(2, bomb(JSON.stringify({ set: {}, edit: { 'a.md': edit }, gone: [] })), 1),
      })
      await expect((await open()).snapshots.read(2)).rejects.toMatchObject({ code: 'damaged' })
    }
  })

  test('an invalid snapshot in a single file is ignored, and none of it is read', async () => {
    put({
      'project.md': 'p',
      'snapshots/v001.json': '['.repeat(1_000_000),
      'snapshots/v002.json': '{"version":2,"timestamp":"t","files":{"a.md":1}}',
      'snapshots/v003.json': '{"version":3,"timestamp":"t","files":["x"]}',
    })
    const store = await open()
    expect(await store.snapshots.list()).toEqual([])
    expect((await store.verify()).map((d) => d.path)).toEqual([
      'snapshots/v001.json',
      'snapshots/v002.json',
      'snapshots/v003.json',
    ])
  })
})

test('a text with an extreme compression ratio is stored uncompressed and can be read back', () => {
  const delta = { set: { 'project.md': 'the same again\n'.repeat(400_000) }, edit: {}, gone: [] }
  const payload = closePayload(delta)
  expect(payload.plain).toBe(true)
  expect(openPayload(payload).delta).toEqual(delta)
})

describe('a pack', () => {
  test('a pack without seals stays readable, and is pinned by the next snapshot', async () => {
    const old =
      packLine(1, bomb(JSON.stringify({ set: { 'project.md': 'one' }, edit: {}, gone: [] }))) +
      packLine(2, bomb(JSON.stringify({ set: {}, edit: { 'project.md': [0, 0, 'two'] }, gone: [] })), 1)
    put({ 'project.md': 'two', 'snapshots/pack.jsonl': old })
    const store = await open()
    expect((await store.snapshots.read(2))!.files).toEqual({ 'project.md': 'two' })
    await write(store, { 'project.md': 'three' }, 'sealed')
    expect((await store.snapshots.read(3))!.files).toEqual({ 'project.md': 'three' })
    expect(await store.verify()).toEqual([])
    const pack = readFileSync(at('snapshots', 'pack.jsonl'), 'utf8')
    writeFileSync(at('snapshots', 'pack.jsonl'), pack.replace('"trigger":"t"', '"trigger":"u"'))
    expect((await store.verify()).map((d) => d.path)).toContain('snapshots/pack.jsonl')
  })

  test('is reported if it lost its newest line, or all lines', async () => {
    const store = await open()
    for (const n of [1, 2, 3]) await write(store, { 'project.md': `p${n}` }, `n${n}`)
    const pack = readFileSync(at('snapshots', 'pack.jsonl'), 'utf8')
    for (const cut of [pack.split('\n').slice(0, 2).join('\n') + '\n', '', pack.slice(0, -1)]) {
      writeFileSync(at('snapshots', 'pack.jsonl'), cut)
      expect((await store.verify()).map((d) => d.path)).toContain('snapshots/pack.jsonl')
    }
  })
})
