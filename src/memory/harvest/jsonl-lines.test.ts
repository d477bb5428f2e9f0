import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readJsonLines } from './jsonl-lines.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ken-lines-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(
  content: string | Buffer,
  options: { name?: string; stopAt?: number; ignore?: (prefix: string) => boolean } = {},
) {
  const path = join(folder, options.name ?? 'lines.jsonl')
  await writeFile(path, content)
  const records: unknown[] = []
  const lines = await readJsonLines(path, (record) => records.push(record) === options.stopAt, options.ignore)
  return { records, lines }
}

test('accepts blank lines and CRLF, and counts lines that are not objects', async () => {
  const { records, lines } = await read('{"a":1}\r\n\r\n\n  \nnot json\r\n[1]\n7\n{"b":"ü"}\r\n')
  expect(records).toEqual([{ a: 1 }, { b: 'ü' }])
  expect(lines).toEqual({ offset: 43, badLines: 3, partialTail: false })
})

test('a last line without a newline is neither read nor counted as bad, even if it is complete', async () => {
  expect(await read('{"a":1}\n{"b":')).toEqual({
    records: [{ a: 1 }],
    lines: { offset: 8, badLines: 0, partialTail: true },
  })
  expect(await read('{"a":1}\n{"b":2}')).toEqual({
    records: [{ a: 1 }],
    lines: { offset: 8, badLines: 0, partialTail: true },
  })
  expect((await read('{"a":1}\n  ')).lines.partialTail).toBe(false)
  expect(await read('')).toEqual({ records: [], lines: { offset: 0, badLines: 0, partialTail: false } })
})

test('reads a line longer than any chunk in full', async () => {
  const long = '🍐é'.repeat(700_000)
  const { records, lines } = await read(`{"a":1}\n${JSON.stringify({ long })}\n{"b":2}\n`)
  expect(records).toEqual([{ a: 1 }, { long }, { b: 2 }])
  expect(lines.badLines).toBe(0)
})

test('reads a compressed file the same way, and fails on a truncated one', async () => {
  const packed = zstdCompressSync(Buffer.from('{"a":1}\n{"b":2}\n'))
  expect((await read(packed, { name: 'lines.jsonl.zst' })).records).toEqual([{ a: 1 }, { b: 2 }])
  await expect(read(packed.subarray(0, packed.length - 4), { name: 'cut.jsonl.zst' })).rejects.toThrow()
})

test('stops at the given record, and does not parse ignored lines', async () => {
  expect((await read('{"a":1}\n{"b":2}\nbroken\n', { stopAt: 1 })).records).toEqual([{ a: 1 }])
  expect(
    await read('{"type":"noise", broken\n{"b":2}\n', { ignore: (prefix) => prefix.startsWith('{"type":"noise"') }),
  ).toMatchObject({
    records: [{ b: 2 }],
    lines: { badLines: 0 },
  })
})
