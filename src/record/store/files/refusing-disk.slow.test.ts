import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { useFileRecord, write } from '../../../../test/file-record.ts'
import { canMount, isRoot } from '../../../../test/refused-homes.ts'

const { at, home, open } = useFileRecord()

const CHILD = fileURLToPath(new URL('../../../../test/crash/try-commit.ts', import.meta.url))

describe('a disk that refuses writes', () => {
  interface Attempt {
    readonly code?: string
    readonly message?: string
    readonly hint?: string
    readonly before: Readonly<Record<string, string>>
    readonly after: Readonly<Record<string, string>>
  }
  const attempt = (root: string, command: readonly string[] = []) => {
    const [program, ...values] = [...command, process.execPath, CHILD, root, join(home(), 'cache-of-child'), '10']
    return (JSON.parse(execFileSync(program!, values, { encoding: 'utf8' })) as Attempt[])[0]!
  }
  const unprivileged = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

  beforeEach(async () => {
    const store = await open()
    await write(store, { 'project.md': 'before' })
    await store.close()
    for (const folder of [dirname(home()), home()]) chmodSync(folder, 0o755)
  })

  test.skipIf(isRoot && !hasCommand('setpriv'))(
    'a record owned by someone else can be read but not written, with a clear error',
    () => {
      if (!isRoot) chmodSync(at(), 0o555)
      const answer = attempt(at(), unprivileged)
      chmodSync(at(), 0o755)
      expect(answer).toMatchObject({
        code: 'forbidden',
        hint: expect.stringContaining('owns'),
        after: { 'project.md': 'before' },
      })
      expect(answer.after).toEqual(answer.before)
    },
  )

  test.skipIf(!canMount())('a full disk leaves the record unchanged, with one clear error', () => {
    const small = join(home(), 'small')
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small])
    try {
      cpSync(at(), join(small, 'record'), { recursive: true })
      const sizes = Array.from({ length: 24 }, (_, i) => 8_000 * (i + 1))
      const answers = JSON.parse(
        execFileSync(
          process.execPath,
          [CHILD, join(small, 'record'), join(home(), 'cache-of-child'), ...sizes.map(String)],
          { encoding: 'utf8' },
        ),
      ) as Attempt[]
      expect(answers.filter((answer) => answer.code === undefined).length).toBeGreaterThan(0)
      expect(answers.filter((answer) => answer.code !== undefined).length).toBeGreaterThan(0)
      for (const answer of answers) {
        if (answer.code === undefined) continue
        expect(answer).toMatchObject({ code: 'unavailable', message: expect.stringContaining('full') })
        expect(answer.after).toEqual(answer.before)
      }
    } finally {
      execFileSync('umount', [small])
    }
  })

  test.skipIf(!canMount())(
    'a read-only file system can be read but not written, and the error states that it is read-only',
    () => {
      const mounted = join(home(), 'mounted')
      mkdirSync(mounted)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted])
      try {
        cpSync(at(), join(mounted, 'record'), { recursive: true })
        execFileSync('mount', ['-o', 'remount,ro', mounted])
        expect(attempt(join(mounted, 'record'))).toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('read-only'),
          after: { 'project.md': 'before' },
        })
      } finally {
        execFileSync('umount', [mounted])
      }
    },
  )
})

function hasCommand(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
