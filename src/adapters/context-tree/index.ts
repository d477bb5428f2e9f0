import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { appendFile, mkdir, readFile, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { basename, dirname, join, normalize, sep } from 'node:path'
import { formatManifest, parseManifest, type Manifest } from '../../core/context-project/manifest.ts'
import { AppError } from '../../core/errors.ts'
import type { ContextTree } from '../../ports/context-tree.ts'
import { writeAtomically } from '../atomic-file.ts'
import { isAbsent } from '../file-mark.ts'
import { holdLock } from './lock.ts'

const MANIFEST = '.ken/context-manifest.jsonl'
const CLAIMS = '.ken/context-claims.jsonl'
const LOCK = '.ken/context.lock'

export function openContextTree(folder: string): ContextTree {
  const safeFolders = new Set<string>()

  /** The real place of a path, its folder made; a link on the way must not lead outside. */
  async function locate(path: string, make: boolean): Promise<string> {
    const full = join(folder, path)
    if (path === '' || !full.startsWith(folder + sep) || normalize(full) !== full) throw outside(path)
    const parent = dirname(full)
    if (safeFolders.has(parent)) return full
    const real = realpathSync.native(nearestFolder(parent))
    const home = realpathSync.native(folder)
    if (real !== home && !real.startsWith(home + sep)) throw outside(path)
    if (make) await mkdir(parent, { recursive: true }).catch(writeFailure(path))
    if (make || existsSync(parent)) safeFolders.add(parent)
    return full
  }

  // Every question about a table needs the manifest, which is large where there are many.
  let parsed: { readonly stamp: string; readonly manifest: Manifest } | undefined
  async function loadSaved(): Promise<Manifest> {
    const path = ownFile(folder, MANIFEST)
    const found = await stat(path, { bigint: true }).catch(absentAs(undefined))
    const stamp = `${found?.mtimeNs}-${found?.size}-${found?.ino}`
    if (parsed?.stamp !== stamp) parsed = { stamp, manifest: parseManifest(await readIfThere(path)).manifest }
    return parsed.manifest
  }

  return {
    root: folder,
    exclusively: async (build) => holdLock(ownFile(folder, LOCK), build),
    async load() {
      const saved = await loadSaved()
      const claims = await readIfThere(ownFile(folder, CLAIMS))
      if (claims === '') return saved
      const claimed = parseManifest(claims).manifest
      const folders = new Set([...claimed.values()].flatMap((entry) => entry.files.map((file) => dirname(file.path))))
      for (const each of folders) await locate(`${each}/.tmp`, false).then((inside) => sweepTemporaries(dirname(inside)), () => undefined)
      return new Map([...saved, ...[...claimed].map(([key, entry]) => [key, { ...entry, unfinished: true }] as const)])
    },
    async claim(entry) {
      await mkdir(join(folder, '.ken'), { recursive: true })
      await appendFile(ownFile(folder, CLAIMS), `${JSON.stringify(entry)}\n`).catch(writeFailure(CLAIMS))
    },
    async save(manifest) {
      try {
        writeAtomically(ownFile(folder, MANIFEST), formatManifest(manifest))
      } catch (error) {
        writeFailure(MANIFEST)(error)
      }
      await rm(ownFile(folder, CLAIMS), { force: true })
    },
    async size(path) {
      // A build looks at every file it owns: without waiting for each that is several times as fast.
      const found = statSync(await locate(path, false), { throwIfNoEntry: false })
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

/** The folder itself, or the nearest above it that is there. */
function nearestFolder(path: string): string {
  for (let folder = path; ; folder = dirname(folder)) if (existsSync(folder) || dirname(folder) === folder) return folder
}

/** A clone may bring Ken's own files along as links, and what is appended there would land wherever they lead. */
function ownFile(folder: string, name: string): string {
  const link = ['.ken', name].find((path) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isSymbolicLink())
  if (link !== undefined) throw new AppError('forbidden', `${link} is a symbolic link.`, { hint: 'Remove it; Ken writes only real files there.' })
  return join(folder, name)
}

const outside = (path: string): AppError => new AppError('forbidden', `${path} lies outside the context project.`, { hint: 'Remove the symbolic link, or name a path inside.' })

// What is larger was not written by Ken, and is made anew from the sources.
const LARGEST_MANIFEST = 256 * 1024 * 1024

async function readIfThere(path: string): Promise<string> {
  const found = await stat(path).catch(absentAs(undefined))
  if (found !== undefined && !found.isFile()) throw new AppError('damaged', `${path} is not a file.`, { hint: 'Remove it; `ken sync` makes it anew.' })
  return found === undefined || found.size > LARGEST_MANIFEST ? '' : readFile(path, 'utf8')
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
    throw what === '' || error instanceof AppError ? error : new AppError('unavailable', `${path} cannot be written: ${what}.`, { hint: hint!, cause: error })
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

/** What an interrupted build left behind in a folder it was writing to. */
async function sweepTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => /^\..*\.[0-9a-f]{12}\.tmp$/.test(name))) await rm(join(folder, name), { force: true })
}
