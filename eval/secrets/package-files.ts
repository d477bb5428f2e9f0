import { globSync, readFileSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const LARGEST = 400_000

/** Files of installed packages, chosen by a hash of their paths: ordinary text, where a hit is most likely an error. */
export function packageFiles(folder: string, count: number): { path: string; text: string }[] {
  const paths = globSync('{*,@*/*}/**/*.{js,mjs,cjs,ts,json,md,yml,yaml,css,html,txt,map}', { cwd: folder })
    .map((path) => ({ path, rank: crc32(`20261118 ${path}`) }))
    .toSorted((a, b) => a.rank - b.rank)
  const chosen: { path: string; text: string }[] = []
  for (const { path } of paths) {
    if (chosen.length === count) break
    const found = statSync(`${folder}/${path}`)
    if (found.isFile() && found.size > 200 && found.size <= LARGEST)
      chosen.push({ path, text: readFileSync(`${folder}/${path}`, 'utf8') })
  }
  return chosen
}
