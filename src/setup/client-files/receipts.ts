import { readFileSync, rmSync } from 'node:fs'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import type { Receipt } from '../domain/file-change.ts'

/** What Ken wrote into which file. Without a receipt a removal still works, from the file itself. */
export interface Receipts {
  read(path: string): Receipt | undefined
  /** Undefined removes it. Returns a function that undoes this. */
  remember(path: string, receipt: Receipt | undefined): () => void
}

export function openReceipts(folder: string): Receipts {
  const fileOf = (path: string) => `${folder}/${sha256(path).slice(0, 32)}.json`
  const receipts: Receipts = {
    read(path) {
      try {
        const { path: written, ...receipt } = JSON.parse(readFileSync(fileOf(path), 'utf8')) as Receipt & {
          path: string
        }
        return written === path && isReceipt(receipt) ? receipt : undefined
      } catch {
        return undefined
      }
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
