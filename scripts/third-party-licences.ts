import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

// Licences that allow distribution with their text and require nothing else.
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'])

/**
 * The licences of all packages that the given modules come from, as one text. Throws if a package has no licence, or
 * one that has not been reviewed yet: without its text the code may not be distributed.
 */
export async function thirdPartyLicences(modules: Iterable<string>): Promise<string> {
  const folders = [...new Set([...modules].flatMap((id) => packageFolder(id) ?? []))].sort()
  const parts = await Promise.all(folders.map(licenceOf))
  return `Ken contains parts of the packages below, under the licences that follow their names.\n\n${parts.join('\n')}`
}

/** `…/node_modules/@scope/name` of the innermost package that contains a module; undefined for Ken's own. */
export function packageFolder(id: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  if (license === undefined || !ALLOWED.has(license))
    throw new Error(`${name} is under ${license ?? 'no licence'}: not known to be fit for bundling.`)
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(file)).sort()
  if (!files.some((file) => /^licen/i.test(file))) throw new Error(`${name} ${version} brings no licence text.`)
  const texts = await Promise.all(files.map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()))
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n${'-'.repeat(80)}\n\n${texts.join('\n\n')}\n`
}
