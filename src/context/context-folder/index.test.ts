import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openContextFolder } from './index.ts'

// Windows has no named pipes in its file system.
test.skipIf(process.platform === 'win32')('a named pipe in a clone is not read as a file', async () => {
  const root = mkdtempSync(join(tmpdir(), 'ken-pipe-'))
  try {
    writeFileSync(join(root, 'ken.yaml'), 'name: shop\n')
    execFileSync('mkfifo', [join(root, '.env')])
    const folder = openContextFolder(root)
    expect([await folder.read('.env'), await folder.read('ken.yaml')]).toEqual(['', 'name: shop\n'])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
