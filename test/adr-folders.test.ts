import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDiskDiscovery } from '../src/context/adapters/disk-discovery.ts'
import { findAdrFolders } from '../src/setup/operations/find-adr-folders.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ken-adrs-')))
afterEach(() => rmSync(root, { recursive: true, force: true }))

function foldersOf(...paths: string[]) {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '# Use PostgreSQL\n')
  }
  return findAdrFolders({ scout: openDiskDiscovery({}) }, root)
}

test.each(['docs/adr/0001-use-postgres.md', 'adr/use-postgres.md', 'docs/decisions/storage/0001-use-postgres.md'])(
  'finds the only decision record in %s',
  async (path) => {
    const folder = path.replace(/\/(?:storage\/)?[^/]+$/, '')
    expect(await foldersOf(path)).toEqual([{ path: folder, files: 1 }])
  },
)

test('does not count templates and introductions', async () => {
  const rest = ['README.md', 'index.md', 'template.md', '0000-template.md', 'adr-template-short.md', 'diagram.png']
  expect(await foldersOf(...rest.map((name) => `docs/adr/${name}`))).toEqual([])
  expect(await foldersOf('docs/adr/0001-use-postgres.md')).toEqual([{ path: 'docs/adr', files: 1 }])
})

test('takes numbered documents in a folder with another name for decision records if there are several', async () => {
  expect(await foldersOf('docs/design/0001-storage.md', 'docs/design/notes.md')).toEqual([])
  expect(await foldersOf('docs/design/0002-queues.md')).toEqual([{ path: 'docs/design', files: 2 }])
})
