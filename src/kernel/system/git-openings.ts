import { type Dirent, lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { AppError } from '../domain/errors.ts'
import type { GitDirectory } from './git-directory.ts'
import { readPlainFile } from './plain-file.ts'

/*
 * What git would open without asking what it is. A named pipe stops it for ever, and a link leads it out of the
 * repository: to the commits of another one, whose texts would be shown as this one's.
 */

/** Real paths that links may lead into; undefined if the user allows any target. */
type Homes = readonly string[] | undefined

/** Names in the git directory of files that every command opens, or that lead to such files. */
const OPENED = new Set([
  'HEAD',
  'commondir',
  'config',
  'config.worktree',
  'index',
  'info',
  'objects',
  'packed-refs',
  'refs',
  'shallow',
])
const FOLDERS = ['', 'info', 'objects/info', 'objects/pack', 'refs']
// Old repositories have many references; beyond this the time limit covers a pipe among them.
const MOST_ENTRIES = 5_000
const LARGEST_CONFIG = 1024 * 1024
const LARGEST_ALTERNATES = 64 * 1024
/** Git's own limit for attributes since 2.39. */
const LARGEST_PATTERNS = 100 * 1024 * 1024

/** Throws `forbidden` if the git directory contains something git must not open. */
export function checkGitDirectory({ own, common, worktree }: GitDirectory, mayLeave: boolean): void {
  const homes = mayLeave ? undefined : [own, common, worktree].map((folder) => realOf(folder) ?? folder)
  for (const root of new Set([own, common])) {
    checkEntries(root, homes)
    for (const name of ['config', 'config.worktree']) checkIncludes(join(root, name))
  }
  if (homes === undefined) return
  checkAlternates(common, homes)
  // Git writes `commondir` only for linked worktrees, which `gitDirectoryAround` has checked.
  const other = own === common ? readPlainFile(join(own, 'commondir'), LARGEST_ALTERNATES) : undefined
  if (other !== undefined) throw leadsOut('.git/commondir', resolve(own, other.toString('utf8').trim()))
}

/** Like `checkGitDirectory`, for pattern files in folders of the working tree, which git also reads. */
export function checkPatternFiles(worktree: string, folders: Iterable<string>): void {
  for (const folder of folders)
    for (const name of ['.gitignore', '.gitattributes']) {
      const path = join(worktree, folder, name)
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found === undefined) continue
      if (isSpecial(found)) throw special(relative(worktree, path), found)
      if (found.isFile() && found.size > LARGEST_PATTERNS) throw tooLarge(relative(worktree, path))
    }
}

function checkEntries(root: string, homes: Homes): void {
  let seen = 0
  const folders = [...FOLDERS]
  for (let folder = folders.pop(); folder !== undefined && seen < MOST_ENTRIES; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      seen++
      if (isSpecial(entry)) throw special(`.git/${path}`, entry)
      if (entry.isSymbolicLink() && (folder !== '' || OPENED.has(entry.name))) checkLink(root, path, homes)
      else if (entry.isDirectory() && folder.startsWith('refs')) folders.push(path)
      else if (entry.isFile() && folder === 'info') checkSize(root, path)
    }
  }
}

function checkSize(root: string, path: string): void {
  if ((lstatSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0) > LARGEST_PATTERNS)
    throw tooLarge(`.git/${path}`)
}

/** Throws for a link that leads out of the repository; links within it are allowed. */
function checkLink(root: string, path: string, homes: Homes): void {
  const target = realOf(join(root, path))
  if (target === undefined) return
  const found = statSync(target, { throwIfNoEntry: false })
  if (found !== undefined && isSpecial(found)) throw special(`.git/${path}`, found)
  if (homes !== undefined && !isInside(target, homes)) throw leadsOut(`.git/${path}`, target)
}

/** Checks only includes in the file itself; the time limit covers nested ones. */
function checkIncludes(config: string): void {
  const text = readPlainFile(config, LARGEST_CONFIG)?.toString('utf8')
  if (text === undefined && (lstatSync(config, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_CONFIG)
    throw tooLarge(relative(dirname(dirname(config)), config))
  // Also matches `path` of other settings; programs and folders pass the check.
  for (const [, value] of (text ?? '').matchAll(/(?:^|\])[ \t]*path[ \t]*=[ \t]*([^\r\n]*)/gim)) {
    const path = value!.trim().replaceAll(/^"|"$/g, '')
    const place = path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(dirname(config), path)
    const found = path.includes('\0') ? undefined : statOf(place)
    if (found !== undefined && isSpecial(found)) throw special(path, found)
  }
}

/**
 * Throws for alternates outside the repository. Objects of an alternate repository count as part of this one: if the
 * hash is known, its texts can be read.
 */
function checkAlternates(common: string, homes: readonly string[]): void {
  const path = 'objects/info/alternates'
  const text = readPlainFile(join(common, path), LARGEST_ALTERNATES)?.toString('utf8') ?? ''
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const target = realOf(resolve(common, 'objects', line.replaceAll(/^"|"$/g, '')))
    if (target !== undefined && !isInside(target, homes)) throw leadsOut(`.git/${path}`, target)
  }
}

type Kind = Pick<Stats, 'isFIFO' | 'isCharacterDevice' | 'isBlockDevice'>

/** Sockets are not special: they cannot be opened, so they cannot block, and git keeps one in its directory. */
const isSpecial = (found: Kind): boolean => found.isFIFO() || found.isCharacterDevice() || found.isBlockDevice()

const isInside = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}${sep}`))

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

const special = (path: string, found: Kind): AppError =>
  new AppError('forbidden', `${path} is a ${found.isFIFO() ? 'pipe' : 'device'}; git is not run here.`, {
    hint: 'git would wait forever. Remove it or replace it with a regular file.',
  })

const tooLarge = (path: string): AppError =>
  new AppError('forbidden', `${path} is too large; git is not run here.`, { hint: 'Shorten it.' })

const leadsOut = (path: string, target: string): AppError =>
  new AppError('forbidden', `${path} leads out of the repository, to ${target}; git is not run here.`, {
    hint: 'If this is intended, set `git.outside` to true. Otherwise clone the repository again.',
  })
