import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { sha256 } from '../kernel/domain/sha256.ts'
import { writeAtomically } from '../kernel/system/atomic-file.ts'
import { recordStateFolder } from '../kernel/system/record-state-folder.ts'
import { startReceipt, type FileCopy, type StartReceipt } from '../setup/domain/start-receipt.ts'
import type { StartLog } from '../setup/ports/start-log.ts'

const LISTS = ['config.yml', 'registry.json', 'trusted.yaml']

/** Receipts of set-ups, beside the copies of client files. */
export function openStartLog(home: string): StartLog {
  const backups = join(home, 'backups')
  const fileOf = (root: string): string => join(backups, 'starts', `${sha256(root).slice(0, 32)}.json`)
  return {
    async find(root) {
      const found = startReceipt.safeParse(readJson(fileOf(root)))
      return found.success && found.data.root === root ? found.data : undefined
    },
    async keep(receipt) {
      writeAtomically(fileOf(receipt.root), `${JSON.stringify(receipt, null, 2)}\n`, 0o600)
    },
    missingLists: async () => LISTS.filter((name) => !existsSync(join(home, name))),
    async settle(receipt, { record, copies }) {
      for (const name of LISTS.filter((one) => receipt.lists.includes(one))) removeEmptyList(join(home, name))
      if (record !== undefined) removeTracesOfRecord(home, record)
      if (receipt.context !== undefined && !existsSync(receipt.context.root))
        removeStarting(join(home, 'contexts'), sha256(receipt.context.root).slice(0, 16))
      removeCopies(backups, receipt, copies)
      rmSync(fileOf(receipt.root), { force: true })
      for (const name of FOLDERS) removeIfEmpty(join(home, name))
    },
  }
}

/** Folders that a set-up may create, innermost first. */
const FOLDERS = [
  'backups/starts',
  'backups/receipts',
  'backups',
  'projects',
  'records',
  'contexts',
  'cache',
  'sessions',
]

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Settings or another project in it keep the list. */
function removeEmptyList(path: string): void {
  if (!existsSync(path)) return
  const { schema_version: _, ...rest } = (parse(readFileSync(path, 'utf8')) ?? {}) as Record<string, unknown>
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0
  if (!Object.values(rest).every(isEmpty)) return
  rmSync(path, { force: true })
  rmSync(`${path}.lock`, { force: true })
}

function removeTracesOfRecord(home: string, location: string): void {
  rmSync(recordStateFolder(join(home, 'records'), location), { recursive: true, force: true })
  removeStarting(join(home, 'cache'), `record-${sha256(location).slice(0, 16)}.db`)
}

function removeStarting(folder: string, start: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter((one) => one.startsWith(start)))
    rmSync(join(folder, name), { recursive: true, force: true })
}

/** Copies of a file that is exactly as it was are not needed; any other stay. */
function removeCopies(folder: string, { backups }: StartReceipt, copies: readonly FileCopy[]): void {
  const inFolder = ({ backup }: FileCopy): string => join(folder, basename(backup))
  const isAsBefore = (copy: FileCopy): boolean =>
    existsSync(inFolder(copy)) && existsSync(copy.path) && readFileSync(copy.path).equals(readFileSync(inFolder(copy)))
  const restored = new Set(backups.filter(isAsBefore).map(({ path }) => path))
  for (const copy of copies.filter(({ path }) => restored.has(path))) rmSync(inFolder(copy), { force: true })
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}
