import { closeSync, fchmodSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { link, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isAbsent } from './fs-failure.ts'

/** Writes a new file and waits until the disk has it. */
export async function writeDurably(path: string, text: string, mode?: number): Promise<void> {
  withFile(path, 'w', (file) => {
    writeFileSync(file, text)
    if (mode !== undefined) fchmodSync(file, mode)
    fsyncSync(file)
  })
}

/** Adds text at `offset`, over whatever half-written rest lies there, and waits until the disk has it. */
export async function appendDurably(path: string, offset: number, text: string): Promise<void> {
  withFile(path, 'a', (file) => {
    if (fstatSync(file).size > offset) ftruncateSync(file, offset)
    writeFileSync(file, text)
    fsyncSync(file)
  })
}

/** A rename or a new name is on the disk only once its folder is. Windows cannot and need not do this. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  withFile(path, 'r', fsyncSync)
}

export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first !== undefined) await syncFolder(dirname(first))
}

/** A second name for the file as it is now, so that it can be put back; false when there is no such file. */
export async function keep(path: string, aside: string): Promise<boolean> {
  try {
    await link(path, aside)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    // File systems without hard links.
    await copyFile(path, aside)
    return true
  }
}

export async function moveAside(path: string, aside: string): Promise<boolean> {
  try {
    await rename(path, aside)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Waits for all of them even when one fails: what is still running must not write after the cleaning up. */
export async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((done) => done.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

export const discard = (path: string): Promise<void> => rm(path, { force: true })

export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isAbsent(error)) return 0
    throw error
  }
}

// Synchronous on purpose: while the lock is held nothing may depend on a wake-up of the event loop. One that a virtual
// machine's io_uring lost left a writer holding the lock for ever, and everyone else waiting.
function withFile(path: string, flags: string, use: (file: number) => void): void {
  const file = openSync(path, flags)
  try {
    use(file)
  } finally {
    closeSync(file)
  }
}
