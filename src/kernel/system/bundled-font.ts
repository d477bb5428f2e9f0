import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Bundled fonts, so that images and printed pages look the same on every machine. */
export const BUNDLED_FONTS = [
  'DejaVuSansCondensed',
  'DejaVuSansCondensed-Bold',
  'DejaVuSansCondensed-Oblique',
  'DejaVuSansMono',
] as const

type BundledFont = (typeof BUNDLED_FONTS)[number]

export const bundledFont = (name: BundledFont): Promise<Uint8Array> => readFile(placeOf(`${name}.ttf`))

/** Location of a font: the package contains it beside this module; a clone has it in the development dependencies. */
const placeOf = (file: string): string | URL =>
  import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}`)
    : new URL(`./fonts/${file}`, import.meta.url)
