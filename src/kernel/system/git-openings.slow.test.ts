import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withGitAllowance } from './git-patience.ts'
import { runGit } from './git.ts'

let place: string
let clone: string

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-openings-')))
  clone = join(place, 'clone')
  for (const folder of [clone, join(place, 'private')]) repositoryIn(folder)
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

function repositoryIn(folder: string): void {
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words], { cwd: folder })
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'src/a.txt'), `${folder}\n`)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'first')
}

const pipeAt = (path: string): void => {
  mkdirSync(dirname(join(clone, path)), { recursive: true })
  rmSync(join(clone, path), { force: true })
  execFileSync('mkfifo', [join(clone, path)])
}
const linkAt = (path: string, target: string): void => {
  rmSync(join(clone, path), { force: true, recursive: true })
  symlinkSync(join(place, target), join(clone, path))
}
const diff = () => runGit({ around: clone }, ['diff', 'HEAD', '--'])

describe('git is not run', () => {
  test.each([
    '.git/config',
    '.git/index',
    '.git/HEAD',
    '.git/packed-refs',
    '.git/info/attributes',
    '.git/refs/heads/main',
    '.git/objects/pack/pack-1.idx',
    '.gitattributes',
    'src/.gitattributes',
    'src/.gitignore',
  ])('if there is a pipe at %s, and the error names it', async (path) => {
    pipeAt(path)
    await expect(diff()).rejects.toMatchObject({
      code: 'forbidden',
      message: `${path} is a pipe; git is not run here.`,
    })
  })

  test.each(['more', '"more"', '../.git/more'])('if the configuration includes a pipe: %s', async (path) => {
    pipeAt('.git/more')
    appendFileSync(join(clone, '.git/config'), `[include] path = ${path}\n`)
    await expect(diff()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('is a pipe') })
  })

  test.each([
    ['.git/refs', 'private/.git/refs'],
    ['.git/refs/heads/main', 'private/.git/refs/heads/main'],
    ['.git/objects', 'private/.git/objects'],
    ['.git/config', 'private/.git/config'],
  ])('if a link at %s leads out of the repository, unless the user allows it', async (path, target) => {
    linkAt(path, target)
    await expect(diff()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(`${path} leads out of the repository`),
    })
    const allowed = await withGitAllowance({ seconds: 5, isBudgeted: true, mayLeave: true }, diff)
    expect(allowed).toBeDefined()
  })

  test('if alternates or the common directory are outside', async () => {
    const alternates = join(clone, '.git/objects/info/alternates')
    writeFileSync(alternates, `${place}/private/.git/objects\n`)
    await expect(diff()).rejects.toMatchObject({ message: expect.stringContaining('alternates leads out') })
    rmSync(alternates)
    writeFileSync(join(clone, '.git/commondir'), '../../private/.git\n')
    await expect(diff()).rejects.toMatchObject({ message: expect.stringContaining('commondir leads out') })
  })
})

test('git runs with links and alternates that stay inside', async () => {
  mkdirSync(join(clone, '.git/shared'))
  writeFileSync(join(clone, '.git/objects/info/alternates'), '../shared\n')
  rmSync(join(clone, '.git/info'), { recursive: true, force: true })
  symlinkSync('shared', join(clone, '.git/info'))
  expect((await diff())?.code).toBe(0)
})

test('git is never found in a relative entry of PATH', async () => {
  const ran = join(place, 'ran')
  writeFileSync(join(clone, 'git'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
  const [path, cwd] = [process.env['PATH'], process.cwd()]
  try {
    process.chdir(clone)
    process.env['PATH'] = ['.', '', path].join(delimiter)
    expect((await diff())?.code).toBe(0)
    expect(() => realpathSync(ran)).toThrow('ENOENT')
  } finally {
    process.chdir(cwd)
    process.env['PATH'] = path
  }
})

describe('git command that takes too long', () => {
  const ALLOWED = { seconds: 1, isBudgeted: true, mayLeave: false }
  /** Patterns for which matching time doubles with every star. */
  const slowPatterns = (): void => {
    writeFileSync(join(clone, '.gitignore'), `**/${'a*'.repeat(20)}b\n`.repeat(3_000))
    for (let at = 0; at < 50; at++) writeFileSync(join(clone, `${'a'.repeat(60)}${at}`), '')
  }
  const others = () => runGit({ around: clone }, ['ls-files', '--others', '--exclude-standard', '-z'])

  test('is killed, and the error includes a hint', async () => {
    slowPatterns()
    await expect(withGitAllowance(ALLOWED, others)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'git took too long here: no answer from `git ls-files` within 1 s.',
      hint: expect.stringContaining('git.patience'),
    })
  })

  test('is not run again in that repository for a while, but runs elsewhere', async () => {
    slowPatterns()
    await expect(withGitAllowance(ALLOWED, others)).rejects.toThrow('too long')
    rmSync(join(clone, '.gitignore'))
    await expect(others()).rejects.toThrow('too long')
    expect((await runGit({ around: join(place, 'private') }, ['rev-parse', 'HEAD']))?.code).toBe(0)
  })
})
