import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { diskFailure } from '../../kernel/domain/disk-failure.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { clientPlaces } from '../domain/clients.ts'
import { type FileChange, type PlannedFile, planChange } from '../domain/file-change.ts'
import type { Receipt } from '../domain/file-change.ts'
import type { AppliedFile, ChangeIntent, ClientFiles } from '../ports/client-files.ts'

export interface ClientFilesOptions {
  /** Home folder, platform and environment determine the locations of the clients' folders. */
  readonly home: string
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder for old texts and receipts of writes. */
  readonly backups: string
  readonly now: () => Date
  /** Whether git tracks a file, in any repository. */
  readonly isTracked: (path: string) => Promise<boolean>
  /** Whether git tracks a file, or will with the next commit. */
  readonly isKept: (path: string) => Promise<boolean>
}

/** The configuration files of coding agents: planned, written all or none, and restored with the old text kept. */
export function openClientFiles({
  home,
  platform,
  env,
  backups: folder,
  now,
  isTracked,
  isKept,
}: ClientFilesOptions): ClientFiles {
  const receipts = openReceipts(`${folder}/receipts`)
  const backups = openBackups(folder, now)
  return {
    platform,
    places: (project) => clientPlaces({ home, project, platform, env }),
    exists: async (path) => existsSync(path),
    isKept,
    async plan(changes, intent) {
      const planned = changes.map((change) => planOne(change, intent, receipts))
      for (const file of planned)
        if (file.action !== 'none' && !intent.allowTracked && (await isTracked(file.path))) throw tracked(file.path)
      return planned
    },
    apply: async (plan) => applyAll(plan, receipts, backups),
  }
}

function planOne(change: FileChange, intent: ChangeIntent, receipts: Receipts): PlannedFile {
  refuseLinks(change.path, change.within)
  return planChange(change, intent.mode, { text: readText(change.path), receipt: receipts.read(change.path) })
}

function applyAll(plan: readonly PlannedFile[], receipts: Receipts, backups: Backups): AppliedFile[] {
  const changed = plan.filter((file) => file.action !== 'none')
  for (const file of changed) if (readText(file.path) !== file.before) throw changedSince(file.path)
  const undo: (() => void)[] = []
  try {
    const kept = new Map(changed.filter(holdsMore).map((file) => [file.path, backups.keep(file.path)]))
    for (const file of plan) {
      undo.push(receipts.remember(file.path, file.action === 'delete' ? undefined : withFolders(file, receipts)))
      undo.push(takeBack(file))
      carryOut(file)
    }
    removeFolders(plan.flatMap((file) => (file.action === 'delete' ? (file.receipt?.folders ?? []) : [])))
    return changed.map((file) => ({ path: file.path, backup: kept.get(file.path) }))
  } catch (thrown) {
    for (const step of undo.toReversed()) attempt(step)
    if (thrown instanceof AppError) throw thrown
    const hint = 'Check the permissions of the file and of its folder.'
    const refused = diskFailure(thrown)
    throw new AppError('unavailable', `Nothing was changed: ${refused?.message ?? `${(thrown as Error).message}.`}`, {
      hint: refused?.hint ?? hint,
      cause: thrown,
    })
  }
}

/** Whether the file contains anything that Ken could not regenerate. */
const holdsMore = (file: PlannedFile): boolean =>
  file.before !== undefined && !(file.action === 'delete' && file.receipt?.after === sha256(file.before))

function carryOut(file: PlannedFile): void {
  if (file.action === 'create' || file.action === 'edit') writeAtomically(file.path, file.after!)
  if (file.action === 'delete') rmSync(file.path)
}

/** Returns a function that restores the current file. */
function takeBack(file: PlannedFile): () => void {
  if (file.action === 'none') return () => {}
  const folders = missingFolders(file.path)
  const mode = statSync(file.path, { throwIfNoEntry: false })?.mode
  if (file.before !== undefined) return () => writeAtomically(file.path, file.before!, mode)
  return () => {
    rmSync(file.path, { force: true })
    removeFolders(folders)
  }
}

/** A new file also lists the folders that an earlier file created: the last file to be deleted removes them. */
function withFolders({ receipt, action, path }: PlannedFile, receipts: Receipts): PlannedFile['receipt'] {
  if (receipt === undefined || action !== 'create') return receipt
  return { ...receipt, folders: [...new Set([...receipts.foldersAbove(path), ...missingFolders(path)])] }
}

/** Removes folders that Ken created, innermost first, if they are empty. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) attempt(() => rmdirSync(folder))
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // A folder in use stays; a failed rollback must not hide its cause.
  }
}

function missingFolders(path: string): string[] {
  const missing: string[] = []
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder)
  return missing
}

function readText(path: string): string | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new AppError('unavailable', `${path} cannot be read (${code}).`, {
      hint: 'Check the path and its permissions.',
      cause: error,
    })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new AppError('damaged', `${path} was not changed: it is not UTF-8 text.`, {
      hint: 'Save it as UTF-8 or move it aside, then run this again.',
      cause: error,
    })
  }
}

const tracked = (path: string): AppError =>
  new AppError(
    'forbidden',
    `${path} was not changed: git tracks it, and the change would show up in your next commit.`,
    {
      hint: 'Pass --allow-tracked to change it anyway.',
    },
  )

const changedSince = (path: string): AppError =>
  new AppError('conflict', `No changes: another program just wrote ${path}.`, {
    hint: 'Run this again.',
  })

const MOST_PER_FILE = 10

interface Backups {
  /** Copies a file aside, readable only by its owner, and returns the path. */
  keep(path: string): string
}

function openBackups(folder: string, now: () => Date): Backups {
  return {
    keep(path) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const name = `-${sha256(path).slice(0, 8)}-${basename(path)}`
      const stamp = now().toISOString().replaceAll(/[-:]/g, '').replace('.', '')
      let target = `${folder}/${stamp}${name}`
      for (let again = 2; existsSync(target); again++) target = `${folder}/${stamp}.${again}${name}`
      copyFileSync(path, target, constants.COPYFILE_EXCL)
      chmodSync(target, 0o600)
      for (const old of readdirSync(folder)
        .filter((file) => file.endsWith(name))
        .sort()
        .slice(0, -MOST_PER_FILE))
        rmSync(`${folder}/${old}`, { force: true })
      return target
    },
  }
}

/** Throws if the file, or any folder on the path to it below `within`, is a symbolic link or has the wrong type. */
function refuseLinks(path: string, within: string | undefined): void {
  for (const part of within === undefined ? [path] : partsBelow(within, path)) {
    const found = lstatSync(part, { throwIfNoEntry: false })
    if (found?.isSymbolicLink())
      throw refused(
        path,
        `${part === path ? 'it' : part} is a symbolic link`,
        'Put a real file there, or make the change by hand.',
      )
    if (part === path && found !== undefined && !found.isFile())
      throw refused(path, 'it is not a file', 'Move it aside, then run this again.')
  }
}

const refused = (path: string, why: string, hint: string): AppError =>
  new AppError('forbidden', `${path} was not changed: ${why}.`, { hint })

function partsBelow(within: string, path: string): string[] {
  const names = relative(within, path).split(sep)
  if (names[0] === '..') throw new AppError('forbidden', `${path} is outside ${within}.`)
  return names.map((_, depth) => join(within, ...names.slice(0, depth + 1)))
}

/** Receipts of Ken's writes, by file. Without a receipt a removal still works, from the file alone. */
interface Receipts {
  read(path: string): Receipt | undefined
  /** Stores a receipt; undefined removes it. Returns a function that undoes this. */
  remember(path: string, receipt: Receipt | undefined): () => void
  /** Folders above a path that were created for another file, outermost first. */
  foldersAbove(path: string): string[]
}

function openReceipts(folder: string): Receipts {
  const fileOf = (path: string) => `${folder}/${sha256(path).slice(0, 32)}.json`
  const readFrom = (file: string): (Receipt & { readonly path: string }) | undefined => {
    try {
      const receipt = JSON.parse(readFileSync(file, 'utf8')) as Receipt & { path: string }
      return typeof receipt.path === 'string' && isReceipt(receipt) ? receipt : undefined
    } catch {
      return undefined
    }
  }
  const receipts: Receipts = {
    read(path) {
      const found = readFrom(fileOf(path))
      if (found?.path !== path) return undefined
      const { path: _, ...receipt } = found
      return receipt
    },
    foldersAbove(path) {
      const files = existsSync(folder) ? readdirSync(folder) : []
      const made = files.flatMap((name) => readFrom(join(folder, name))?.folders ?? [])
      return [...new Set(made)].filter((one) => path.startsWith(one + sep)).sort((a, b) => a.length - b.length)
    },
    remember(path, receipt) {
      const earlier = receipts.read(path)
      if (receipt === undefined) rmSync(fileOf(path), { force: true })
      else writeAtomically(fileOf(path), `${JSON.stringify({ path, ...receipt }, null, 2)}\n`, 0o600)
      return () => void receipts.remember(path, earlier)
    },
  }
  return receipts
}

const isReceipt = (value: Receipt): boolean =>
  (value.before === null || typeof value.before === 'string') &&
  typeof value.after === 'string' &&
  isList(value.owners) &&
  isList(value.folders)

const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
