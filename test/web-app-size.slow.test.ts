import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { builtWebApp } from '../scripts/web-app.ts'

const MOST = 150 * 1024

test('the first paint of the web app needs at most 150 KB, compressed', async () => {
  const folder = await builtWebApp()
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!)
  const sizes = files.map((path) => ({ path, size: gzipSync(readFileSync(join(folder, path))).length }))
  expect(sizes.length).toBeGreaterThan(2)
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  expect(total, JSON.stringify(sizes)).toBeLessThan(MOST)
})
