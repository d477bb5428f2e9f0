import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { zipped, type ZippedFile } from '../../../test/context/zip-writer.ts'
import { openZipArchive } from './zip-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-zip-'))
const archives: Awaited<ReturnType<typeof openZipArchive>>[] = []
afterAll(async () => {
  for (const archive of archives) await archive.close()
  rmSync(folder, { recursive: true, force: true })
})

const BOUNDS = { mostEntries: 10, largestEntry: 8 * 1024 ** 2, largestTotal: 20 * 1024 ** 2 }
const opened = async (bytes: Buffer) => {
  const path = join(folder, 'a.zip')
  writeFileSync(path, bytes)
  const archive = await openZipArchive(path, BOUNDS)
  archives.push(archive)
  return archive
}
const file = (path: string, text: string | Buffer = path): ZippedFile => ({ path, text })

test.each([{ wide: false }, { wide: true }])('reads compressed and stored files, %o', async (how) => {
  const zip = await opened(
    zipped([file('a/ä.json', '[1]'), { ...file('b.txt'), stored: true }, file('c/'), file('', '')], how),
  )
  expect(zip.entries.map(({ path, size }) => [path, size])).toEqual([
    ['a/ä.json', 3],
    ['b.txt', 5],
    ['', 0],
  ])
  expect((await zip.read('a/ä.json')).toString()).toBe('[1]')
  expect((await zip.read('b.txt')).toString()).toBe('b.txt')
  await expect(zip.read('none')).rejects.toThrow('a file is missing in it')
})

test.each<[string, Buffer, string]>([
  ['text that is no archive', Buffer.from('hello'), 'it is no zip file'],
  ['more files than the bound', zipped(Array.from({ length: 11 }, (_, i) => file(`${i}`))), 'more than 10 files'],
  ['a file that packs a thousandfold', zipped([file('z', Buffer.alloc(4 * 1024 ** 2))]), 'far more than any text'],
  [
    'files that are too much together',
    zipped(Array.from({ length: 5 }, (_, i) => ({ ...file(`${i}`), claimed: 5 * 1024 ** 2, text: noise(30_000) }))),
    'more than 20 MB',
  ],
  ['a directory that is cut off', zipped([file('a')]).subarray(-30), 'its directory is cut off'],
])('refuses %s', async (_what, bytes, why) => {
  await expect(opened(bytes)).rejects.toThrow(why)
})

test('a file that unpacks to more than declared, or to other bytes, is rejected when read', async () => {
  const more = await opened(zipped([{ ...file('a', 'x'.repeat(1000)), claimed: 10 }]))
  await expect(more.read('a')).rejects.toThrow('not what the archive says')
  const bytes = zipped([{ ...file('a', 'hello'), stored: true }])
  bytes[bytes.indexOf('hello')]! ^= 1
  await expect((await opened(bytes)).read('a')).rejects.toThrow('not what the archive says')
})

test('a file over the size limit is not listed', async () => {
  const zip = await opened(zipped([{ ...file('big', noise(100_000)), claimed: 9 * 1024 ** 2 }, file('small')]))
  expect(zip.entries.map(({ path }) => path)).toEqual(['small'])
})

function noise(length: number): Buffer {
  let seed = 1
  return Buffer.from(Array.from({ length }, () => (seed = (seed * 48271) % 0x7fffffff) & 255))
}
