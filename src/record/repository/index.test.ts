import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePatch } from '../domain/guard/parse-patch.ts'
import type { ChangedFile, Repository } from '../ports/repository.ts'
import { openRepository } from './index.ts'

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-git-')))
  run('init', '--quiet', '--initial-branch=main')
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.org'],
    ['commit.gpgsign', 'false'],
  ])
    run('config', key!, value!)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function commit(message: string): void {
  run('add', '--all')
  run('commit', '--quiet', '--allow-empty', '-m', message)
}

async function open(): Promise<Repository> {
  return (await openRepository(folder))!
}

const changed = (files: readonly ChangedFile[], path: string): ChangedFile | undefined =>
  files.find((file) => file.path === path)
const texts = (file: ChangedFile | undefined): string[] | undefined => file?.added.map((line) => line.text)

test('names the newest tag that is a version, with its commit', async () => {
  commit('one')
  expect(await (await open()).commits.lastVersion()).toBeUndefined()
  run('tag', 'v1.2.0')
  const first = run('rev-parse', 'HEAD').trim()
  commit('two')
  run('tag', 'nightly')
  expect(await (await open()).commits.lastVersion()).toMatchObject({ name: 'v1.2.0', id: first })
})

test('finds no repository outside of one or in a bare repository', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'ken-no-git-'))
  expect(await openRepository(outside)).toBeUndefined()
  expect(await openRepository(join(outside, 'missing'))).toBeUndefined()
  execFileSync('git', ['init', '--quiet', '--bare', outside])
  expect(await openRepository(outside)).toBeUndefined()
  rmSync(outside, { recursive: true })
})

test('finds the root from a folder below it', async () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  expect((await openRepository(join(folder, 'a/b')))?.root).toBe(folder)
})

test('before the first commit every file counts as added', async () => {
  write('staged.txt', 'one\n')
  run('add', 'staged.txt')
  write('loose.txt', 'two\nthree\n')
  const repository = await open()
  expect(await repository.head()).toBeUndefined()
  const files = await repository.diff(undefined)
  expect(files.map((file) => [file.path, file.status])).toEqual([
    ['loose.txt', 'added'],
    ['staged.txt', 'added'],
  ])
  expect(changed(files, 'loose.txt')?.added).toEqual([
    { line: 1, text: 'two' },
    { line: 2, text: 'three' },
  ])
})

test('staged, unstaged and untracked changes have line numbers, and ignored files are left out', async () => {
  write('kept.txt', 'a\nb\nc\nd\n')
  write('edited.txt', 'one\ntwo\nthree\n')
  write('.gitignore', 'ignored.txt\n')
  commit('first')
  write('edited.txt', 'one\nTWO\nthree\nfour\r\n')
  write('kept.txt', 'a\nb2\nc\nd\n')
  run('add', 'kept.txt')
  write('new.txt', 'fresh')
  write('ignored.txt', 'x')
  const files = await (await open()).diff(undefined)
  expect(files.map((file) => file.path)).toEqual(['edited.txt', 'kept.txt', 'new.txt'])
  expect(changed(files, 'edited.txt')).toMatchObject({
    status: 'modified',
    added: [
      { line: 2, text: 'TWO' },
      { line: 4, text: 'four' },
    ],
    removed: ['two'],
    cut: false,
  })
  expect(changed(files, 'kept.txt')?.added).toEqual([{ line: 2, text: 'b2' }])
})

test('a base is compared at the point where this branch diverged, not with its later commits', async () => {
  write('a.txt', 'a\n')
  commit('first')
  run('checkout', '--quiet', '-b', 'work')
  write('ours.txt', 'ours\n')
  commit('ours')
  run('checkout', '--quiet', 'main')
  write('theirs.txt', 'theirs\n')
  commit('theirs')
  run('checkout', '--quiet', 'work')
  expect((await (await open()).diff('main')).map((file) => file.path)).toEqual(['ours.txt'])
})

test('throws not_found for an unknown revision, even one that looks like an option', async () => {
  commit('first')
  const repository = await open()
  for (const base of ['nowhere', '--output=/tmp/x', '', 'a\0b'])
    await expect(repository.diff(base)).rejects.toMatchObject({ code: 'not_found' })
})

test('a rename has both names, and a deletion has its removed lines', async () => {
  write('old name.txt', Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n'))
  write('gone.txt', 'bye\n')
  commit('first')
  renameSync(join(folder, 'old name.txt'), join(folder, 'new name.txt'))
  unlinkSync(join(folder, 'gone.txt'))
  run('add', '--all')
  const files = await (await open()).diff(undefined)
  expect(changed(files, 'new name.txt')).toMatchObject({ status: 'renamed', previousPath: 'old name.txt' })
  expect(changed(files, 'gone.txt')).toMatchObject({ status: 'deleted', removed: ['bye'], added: [] })
})

test('hostile file names keep their lines', async () => {
  const names = [
    'with space.txt',
    'quote".txt',
    'new\nline.txt',
    'tab\t.txt',
    'back\\slash.txt',
    'ünïcode 漢字.txt',
    '-dash.txt',
    'diff --git a b',
    ':(top)magic',
    'b/nested.txt',
    'trailing ',
  ]
  for (const name of names) write(name, 'before\n')
  commit('first')
  for (const name of names) write(name, `after ${name.length}\n`)
  const files = await (await open()).diff(undefined)
  expect(files.map((file) => file.path).sort()).toEqual([...names].sort())
  for (const name of names) expect([name, texts(changed(files, name))]).toEqual([name, [`after ${name.length}`]])
})

test('lines that look like patch headers are read as lines', async () => {
  write('sql.txt', 'keep\n-- a/old\nkeep\n')
  commit('first')
  write('sql.txt', 'keep\n++ b/new\n@@ -1 +1 @@\ndiff --git a/x b/x\nkeep\n')
  const file = changed(await (await open()).diff(undefined), 'sql.txt')
  expect(file).toMatchObject({
    removed: ['-- a/old'],
    added: [
      { line: 2, text: '++ b/new' },
      { line: 3, text: '@@ -1 +1 @@' },
      { line: 4, text: 'diff --git a/x b/x' },
    ],
  })
})

test('binary files and links are listed without lines', async () => {
  write('tracked.bin', Buffer.from([1, 0, 2]))
  commit('first')
  write('tracked.bin', Buffer.from([1, 0, 3]))
  write('loose.bin', Buffer.from([0, 1, 2]))
  write('secret.txt', 'secret')
  symlinkSync('/etc/hostname', join(folder, 'link'))
  const files = await (await open()).diff(undefined)
  expect(changed(files, 'tracked.bin')).toMatchObject({ added: [], cut: false })
  expect(changed(files, 'loose.bin')).toMatchObject({ added: [], cut: false })
  expect(changed(files, 'link')?.added).toEqual([])
})

test('a submodule is listed without lines', async () => {
  const inner = mkdtempSync(join(tmpdir(), 'ken-sub-'))
  const at = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', inner, '-c', 'user.name=Test', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', ...args],
      { stdio: 'ignore' },
    )
  at('init', '--quiet')
  at('commit', '--quiet', '--allow-empty', '-m', 'inner')
  commit('first')
  run('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', inner, 'vendor/inner')
  const files = await (await open()).diff(undefined)
  expect(changed(files, 'vendor/inner')).toMatchObject({ status: 'added', added: [], cut: false })
  rmSync(inner, { recursive: true })
})

test('a very long file is cut and marked as cut', async () => {
  commit('first')
  write('huge.txt', 'x\n'.repeat(20_000))
  write('staged.txt', 'y\n'.repeat(20_000))
  write('minified.js', 'a'.repeat(100_000))
  run('add', 'staged.txt')
  const files = await (await open()).diff(undefined)
  for (const path of ['huge.txt', 'staged.txt'])
    expect(changed(files, path)).toMatchObject({ cut: true, added: { length: 5_000 } })
  expect(changed(files, 'minified.js')).toMatchObject({ cut: true, added: [{ line: 1, text: 'a'.repeat(2_000) }] })
})

test('a patch that ends in the middle marks only its last file as cut', () => {
  const files = parsePatch(
    'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+one\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -0,0 +1,9 @@\n+tw',
    true,
  )
  expect(files.get('a')).toMatchObject({ added: [{ line: 1, text: 'one' }], cut: false })
  expect(files.get('b')).toMatchObject({ cut: true })
})

test('user settings neither change the output nor run a program', async () => {
  write('a.txt', 'a\n')
  write('same.txt', 'same\n')
  commit('first')
  write('a.txt', 'b\n')
  for (const [key, value] of [
    ['diff.noprefix', 'true'],
    ['diff.external', 'touch ran'],
    ['color.diff', 'always'],
    ['diff.context', '9'],
    ['diff.mnemonicPrefix', 'true'],
    ['core.fsmonitor', 'touch ran'],
    ['diff.relative', 'true'],
    ['filter.evil.clean', 'touch ran; cat'],
    ['filter.evil.process', 'touch ran'],
    ['filter.evil.required', 'true'],
    ['core.hooksPath', join(folder, '.git/own-hooks')],
  ])
    run('config', key!, value!)
  write('.git/own-hooks/post-index-change', '#!/bin/sh\ntouch ran\n')
  chmodSync(join(folder, '.git/own-hooks/post-index-change'), 0o755)
  write('.git/info/attributes', '* filter=evil\n')
  // Makes git read the file again and then store its time.
  utimesSync(join(folder, 'same.txt'), 1, 1)
  const files = await (await openRepository(folder))!.diff(undefined)
  expect(files.map((file) => [file.path, texts(file), file.removed])).toEqual([['a.txt', ['b'], ['a']]])
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test('isTracked accepts files known to git, by relative or absolute path', async () => {
  write('known.txt', 'x')
  commit('first')
  write('unknown.txt', 'x')
  const repository = await open()
  expect(await repository.isTracked('known.txt')).toBe(true)
  expect(await repository.isTracked(join(folder, 'known.txt'))).toBe(true)
  expect(await repository.isTracked('unknown.txt')).toBe(false)
  expect(await repository.isTracked('/etc/hostname')).toBe(false)
  expect(await repository.isTracked('*.txt')).toBe(false)
})

test('a setting can be set, changed and removed, even twice', async () => {
  const repository = await open()
  await repository.configure('merge.ken.driver', 'ken merge-driver %O %A %B')
  expect(run('config', '--local', 'merge.ken.driver').trim()).toBe('ken merge-driver %O %A %B')
  await repository.configure('merge.ken.driver', undefined)
  await repository.configure('merge.ken.driver', undefined)
  expect(() => run('config', '--local', 'merge.ken.driver')).toThrow()
})

test('reads the old and current text of a file, through no link and only up to a megabyte', async () => {
  write('a.txt', 'before\n')
  write('large.txt', 'x'.repeat(2_000_000))
  write('binary.bin', Buffer.from([0, 1, 2]))
  commit('first')
  run('checkout', '--quiet', '-b', 'work')
  write('a.txt', 'after\n')
  mkdirSync(join(folder, 'real'))
  write('real/b.txt', 'inside\n')
  symlinkSync(join(folder, 'real'), join(folder, 'linked'))
  symlinkSync('/etc/hostname', join(folder, 'host.txt'))
  const repository = await open()
  expect(await repository.text('a.txt', { base: undefined })).toBe('before\n')
  expect(await repository.text('a.txt', { base: 'main' })).toBe('before\n')
  expect(await repository.text('a.txt', 'now')).toBe('after\n')
  for (const path of [
    'missing',
    'large.txt',
    'binary.bin',
    'linked/b.txt',
    'host.txt',
    '../a.txt',
    '/etc/hostname',
    'real',
  ])
    expect(await repository.text(path, 'now')).toBeUndefined()
  for (const path of ['missing', 'large.txt', 'binary.bin', '../a.txt'])
    expect(await repository.text(path, { base: undefined })).toBeUndefined()
})

test('a file is dated by the commit that added it, even after a rename', async () => {
  const on = (day: string, message: string) => {
    run('add', '--all')
    execFileSync('git', ['commit', '--quiet', '-m', message], {
      cwd: folder,
      env: { ...process.env, GIT_AUTHOR_DATE: `${day}T12:00:00Z`, GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' },
    })
  }
  write('docs/adr/0001-a.md', 'a text that is long enough to be known again\n')
  write('docs/adr/sub dir/ü.md', 'another\n')
  write('other.md', 'x\n')
  on('2020-02-03', 'first')
  renameSync(join(folder, 'docs/adr/0001-a.md'), join(folder, 'docs/adr/0001-b.md'))
  write('docs/adr/sub dir/ü.md', 'another one\n')
  on('2021-01-01', 'renamed')
  write('docs/adr/new.md', 'not committed\n')
  expect(Object.fromEntries(await (await open()).addedOn(join(folder, 'docs/adr')))).toMatchObject({
    '0001-b.md': '2020-02-03',
    'sub dir/ü.md': '2020-02-03',
  })
  const all = await (await open()).addedOn(folder)
  expect([all.get('other.md'), all.get('docs/adr/new.md')]).toEqual(['2020-02-03', undefined])
  expect((await (await open()).addedOn(tmpdir())).size).toBe(0)
})
