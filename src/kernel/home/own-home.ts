import { randomBytes } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HomePart, OwnHome } from '../ports/own-home.ts'
import { writeAtomically } from '../system/atomic-file.ts'
import { isAbsent } from '../system/file-mark.ts'

/** Ken's folder: sizes of its parts, and the server token. */
export function openOwnHome(home: string): OwnHome {
  const token = join(home, 'http-token')
  return {
    path: home,
    async parts() {
      const names = (await readdir(home)).toSorted()
      const parts = await Promise.all(names.map((name) => measured(join(home, name), name)))
      return parts.filter((part) => part !== undefined)
    },
    tokenMade: async () => ({ path: token, at: (await seen(token))?.mtime }),
    async renewToken() {
      writeAtomically(token, `${newToken()}\n`, 0o600)
    },
  }
}

/** 256 bits: the token grants access to everything the server offers. */
export const newToken = (): string => `ken_${randomBytes(32).toString('base64url')}`

async function measured(path: string, name: string): Promise<HomePart | undefined> {
  const found = await seen(path)
  if (found === undefined) return undefined
  if (!found.isDirectory()) return { name, path, bytes: found.size, files: 1 }
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => seen(join(entry.parentPath, entry.name))),
  )
  const here = sizes.filter((one) => one !== undefined)
  return { name, path, bytes: here.reduce((sum, { size }) => sum + size, 0), files: here.length }
}

const seen = (path: string) =>
  lstat(path).catch((error: unknown) => {
    if (isAbsent(error)) return undefined
    throw error
  })
