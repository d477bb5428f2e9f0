import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface FileImage {
  readonly bytes: Buffer
  readonly mode: number
  readonly mtime: Date
}

/** Takes an image of a folder; the returned function restores it, touching only entries changed since. */
export function takeImage(root: string): () => void {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name),
    isFolder: entry.isDirectory(),
  }))
  const folders = new Set(paths.filter(({ isFolder }) => isFolder).map(({ path }) => path))
  const files = new Map<string, FileImage>(
    paths.filter(({ isFolder }) => !isFolder).map(({ path }) => [path, imageOf(path)]),
  )

  return () => {
    const left = new Set(files.keys())
    const sweep = (folder: string): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name)
        const image = files.get(path)
        if (folders.has(path) && entry.isDirectory()) sweep(path)
        else if (image === undefined) rmSync(path, { recursive: true })
        else if (isAsBefore(path, image)) left.delete(path)
      }
    }
    sweep(root)
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    for (const path of left) writeImage(path, files.get(path)!)
  }
}

function imageOf(path: string): FileImage {
  const { mode, mtimeMs } = lstatSync(path)
  // Backdated, so that a change within the same clock tick still changes the time.
  const mtime = new Date(Math.floor(mtimeMs) - 60_000)
  utimesSync(path, mtime, mtime)
  return { bytes: readFileSync(path), mode, mtime }
}

function isAsBefore(path: string, { bytes, mtime }: FileImage): boolean {
  const now = lstatSync(path)
  return now.size === bytes.length && now.mtimeMs === mtime.getTime()
}

function writeImage(path: string, { bytes, mode, mtime }: FileImage): void {
  rmSync(path, { force: true })
  writeFileSync(path, bytes, { mode })
  utimesSync(path, mtime, mtime)
}
