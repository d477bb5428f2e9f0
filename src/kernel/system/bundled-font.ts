import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** The fonts that come with Ken: pictures and paper look the same on every machine. */
export const BUNDLED_FONTS = [
  'DejaVuSansCondensed',
  'DejaVuSansCondensed-Bold',
  'DejaVuSansCondensed-Oblique',
  'DejaVuSansMono',
] as const

type BundledFont = (typeof BUNDLED_FONTS)[number]

export const bundledFont = (name: BundledFont): Promise<Uint8Array> => readFile(placeOf(`${name}.ttf`))

/** The package carries them beside this module; a clone has them among its development packages. */
const placeOf = (file: string): string | URL =>
  import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}`)
    : new URL(`./fonts/${file}`, import.meta.url)
