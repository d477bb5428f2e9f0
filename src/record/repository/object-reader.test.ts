import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitForGit } from '../../kernel/system/git-patience.ts'
import { openObjectReader } from './object-reader.ts'

test('fails the request, not the process, while git rests after a timeout', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-objects-')))
  const objects = openObjectReader(folder)
  try {
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    waitForGit(folder, 'status').end('too slow')
    const ids = [['0'.repeat(40)], ['1'.repeat(40)]]
    const read = await Promise.allSettled(ids.map((id) => objects.read(id, 100)))
    expect(read.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(objects.read(ids[0]!, 100)).rejects.toThrow('git took too long')
  } finally {
    objects.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
