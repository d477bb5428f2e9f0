import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { closeMatch } from '../../kernel/domain/close-match.ts'
import { placeOutside } from './place-outside.ts'

const MOST_NAMES = 10_000

/** See `ContextFolder.missing`. A dangling link counts as missing. */
export function missingPart(
  root: string,
  path: string,
): { readonly part: string; readonly near: string | undefined } | undefined {
  // An engine address, not a file.
  if (/^[a-z][a-z0-9+.-]+:/i.test(path) || existsSync(resolve(root, path))) return undefined
  let part = path.replace(/(?<=.)[/\\]+$/, '')
  while (dirname(part) !== part && !existsSync(resolve(root, dirname(part)))) part = dirname(part)
  return { part, near: nearName(root, part) }
}

function nearName(root: string, part: string): string | undefined {
  const folder = dirname(part)
  // A link in a clone must not reveal the names of the user's other files.
  if (placeOutside(root, folder) !== undefined) return undefined
  try {
    if (!lstatSync(resolve(root, folder)).isDirectory()) return undefined
    const near = closeMatch(basename(part), readdirSync(resolve(root, folder)).slice(0, MOST_NAMES))
    return near === undefined ? undefined : join(folder, near)
  } catch {
    return undefined
  }
}
