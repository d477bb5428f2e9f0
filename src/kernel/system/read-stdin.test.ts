import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('reads standard input to its end, even from a slow writer and a non-blocking pipe', () => {
  const reader = `import { readStdin } from '${join(import.meta.dirname, 'read-stdin.ts')}'; process.stdin.isTTY; process.stdout.write(readStdin())`
  const writer = `process.stdout.write('a'); setTimeout(() => process.stdout.write('b'.repeat(100_000)), 300)`
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', '"$0" -e "$1" | "$0" --input-type=module -e "$2"', process.execPath, writer, reader],
    { encoding: 'utf8' },
  )
  expect({ length: stdout.length, stderr }).toEqual({ length: 100_001, stderr: '' })
})
