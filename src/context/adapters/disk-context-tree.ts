import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { appendFile, mkdir, readFile, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../kernel/domain/errors.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { openBoundedFolder } from '../../kernel/system/bounded-folder.ts'
import { isAbsent } from '../../kernel/system/file-mark.ts'
import {
  entryKey,
  finished,
  formatManifest,
  LONGEST_LINE,
  parseEntry,
  type Manifest,
  type ManifestEntry,
} from '../domain/context-project/manifest.ts'
import type { ContextTree } from '../ports/context-tree.ts'

const MANIFEST = '.ken/context-manifest.jsonl'

/**
 * `folder` is a real path. Leftovers of an interrupted build are in `state`, in the user's home: a clone may contain a
 * manifest, but not a claim that user files are half-written output, to be replaced or removed regardless of their
 * content.
 */
export function openContextTree(folder: string, state: string): ContextTree {
  const bounded = openBoundedFolder(folder)
  const claims = join(state, 'claims.jsonl')
  const safeFolders = new Set<string>()

  /** Resolves a path and creates its folder. No part of it may be a link, or belong to Ken or git. */
  async function locate(path: string, make: boolean): Promise<string> {
    if (/^\.(?:git|ken)(?:\/|$)/i.test(path)) throw outside(path)
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const full = safeFolders.has(parent) ? join(folder, path) : bounded.locate(path)
    if (lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink()) throw outside(path)
    if (make && !safeFolders.has(parent)) await mkdir(dirname(full), { recursive: true }).catch(writeFailure(path))
    if (make || existsSync(dirname(full))) safeFolders.add(parent)
    return full
  }

  // Cached: every question about a table needs the manifest, which is large with many tables.
  let parsed: { readonly stamp: string; readonly manifest: Manifest } | undefined
  async function loadSaved(): Promise<Manifest> {
    const path = ownFile(folder, MANIFEST)
    const found = await stat(path, { bigint: true }).catch(absentAs(undefined))
    const stamp = `${found?.mtimeNs}-${found?.size}-${found?.ino}`
    if (parsed?.stamp !== stamp) parsed = { stamp, manifest: await readEntries(path) }
    return parsed.manifest
  }

  return {
    root: folder,
    exclusively: async (build) => holdLock(join(state, 'lock'), build),
    async load(names) {
      const isWanted = names && mayName(names)
      const manifest = await (isWanted ? readEntries(ownFile(folder, MANIFEST), isWanted) : loadSaved())
      const claimed = await readEntries(claims, isWanted)
      if (claimed.size === 0) return manifest
      const folders = new Set([...claimed.values()].flatMap((entry) => entry.files.map((file) => dirname(file.path))))
      for (const each of folders)
        await locate(`${each}/.tmp`, false).then(
          (inside) => sweepTemporaries(dirname(inside)),
          () => undefined,
        )
      return new Map([
        ...manifest,
        ...[...claimed].map(([key, entry]) => [key, { ...entry, unfinished: true }] as const),
      ])
    },
    async claim(entry) {
      await mkdir(state, { recursive: true, mode: 0o700 })
      await appendFile(claims, `${JSON.stringify(entry)}\n`, { mode: 0o600 }).catch(writeFailure(claims))
    },
    async save(manifest) {
      try {
        writeAtomically(ownFile(folder, MANIFEST), formatManifest(manifest))
        const unfinished = [...manifest.values()].filter((entry) => entry.unfinished)
        if (unfinished.length === 0) await rm(claims, { force: true })
        else writeAtomically(claims, unfinished.map((entry) => `${JSON.stringify(entry)}\n`).join(''), 0o600)
      } catch (error) {
        writeFailure(MANIFEST)(error)
      }
    },
    async size(path) {
      // A build checks every file it owns: synchronous calls are several times as fast.
      const found = lstatSync(await locate(path, false), { throwIfNoEntry: false })
      return found === undefined || found.size === 0 ? undefined : found.size
    },
    async read(path) {
      const full = await locate(path, false)
      return existsSync(full) ? readFile(full, 'utf8').catch(absentAs(undefined)) : undefined
    },
    async write(path, text) {
      const full = await locate(path, true)
      const temporary = join(dirname(full), `.${basename(full).slice(0, 80)}.${randomBytes(6).toString('hex')}.tmp`)
      try {
        await writeFile(temporary, text, { flag: 'wx' })
        await rename(temporary, full)
      } catch (error) {
        await rm(temporary, { force: true })
        writeFailure(path)(error)
      }
    },
    async remove(path) {
      const full = await locate(path, false)
      await unlink(full).catch(absentAs(undefined))
      safeFolders.clear()
      await removeEmptyFolders(folder, dirname(full))
    },
  }
}

/**
 * Resolves one of Ken's own files without following a link: a clone may contain links under their names, and appended
 * text would be written to their targets.
 */
function ownFile(folder: string, name: string): string {
  const link = ['.ken', name].find((path) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isSymbolicLink())
  if (link !== undefined)
    throw new AppError('forbidden', `${link} is a symbolic link.`, {
      hint: 'Remove it; Ken writes only real files there.',
    })
  return join(folder, name)
}

const outside = (path: string): AppError =>
  new AppError('forbidden', `${path} is not a place that a context project may write to.`, {
    hint: 'Remove the symbolic link, or use a path inside. Ken does not write through links.',
  })

/** Whether a line may be the entry of a table with one of these names, ignoring case. */
const mayName = (names: readonly string[]): ((line: string) => boolean) => {
  const written = names.map((name) => JSON.stringify(name).toLowerCase())
  return (line) => {
    const folded = line.toLowerCase()
    return written.some((name) => folded.includes(name))
  }
}

// A larger one was not written by Ken, and is rebuilt from the sources.
const LARGEST_MANIFEST = 256 * 1024 * 1024

/**
 * Reads a manifest line by line; only lines that `isWanted` accepts are parsed and kept. Unreadable ones are skipped;
 * if two entries have the same key, the later one counts.
 */
async function readEntries(path: string, isWanted: (line: string) => boolean = () => true): Promise<Manifest> {
  const entries = new Map<string, ManifestEntry>()
  const found = await stat(path).catch(absentAs(undefined))
  if (found !== undefined && !found.isFile())
    throw new AppError('damaged', `${path} is not a file.`, { hint: 'Remove it; `ken sync` creates it again.' })
  if (found === undefined || found.size > LARGEST_MANIFEST) return entries
  for await (const line of linesOf(path)) {
    const entry = isWanted(line) ? parseEntry(line) : undefined
    if (entry !== undefined) entries.set(entryKey(entry.source, entry.item), finished(entry))
  }
  return entries
}

/** Splits at newlines only: a comment in a table may contain other line separators, which JSON does not escape. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let line = ''
  for await (const portion of createReadStream(path, 'utf8'))
    for (const [i, part] of (portion as string).split('\n').entries()) {
      if (i > 0) {
        yield line
        line = ''
      }
      if (line.length <= LONGEST_LINE) line += part
    }
  yield line
}

function absentAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isAbsent(error)) return value
    throw error
  }
}

const CAUSES: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['the disk is full', 'Free some space and run it again; what was written before stays.'],
  EDQUOT: ['the quota is used up', 'Free some space and run it again; what was written before stays.'],
  EACCES: ['writing is not allowed', 'Check the permissions of the folder.'],
  EROFS: ['the file system is read-only', 'Move the project to a place that can be written.'],
  EISDIR: ['a folder of that name is in the way', 'Rename the folder, or leave the item out.'],
  ENOTDIR: ['a file stands where a folder is needed', 'Rename the file, or leave the item out.'],
  EEXIST: ['a file stands where a folder is needed', 'Rename the file, or leave the item out.'],
}

function writeFailure(path: string): (error: unknown) => never {
  return (error) => {
    const [what, hint] = CAUSES[(error as NodeJS.ErrnoException).code ?? ''] ?? ['', '']
    throw what === '' || error instanceof AppError
      ? error
      : new AppError('unavailable', `${path} cannot be written: ${what}.`, { hint: hint!, cause: error })
  }
}

async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let folder = from; folder.startsWith(root + sep); folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch {
      return
    }
  }
}

/** Removes temporary files of an interrupted build. */
async function sweepTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => /^\..*\.[0-9a-f]{12}\.tmp$/.test(name)))
    await rm(join(folder, name), { force: true })
}

/** One build at a time: unlike a pid file, an exclusive transaction is released by the system when its process dies. */
async function holdLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const lock = new DatabaseSync(path)
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new AppError('conflict', 'Another `ken sync` is running in this project.', {
      hint: 'Wait until it finishes.',
    })
  }
  try {
    return await work()
  } finally {
    lock.close()
  }
}
