import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Embedder } from '../ports/embedder.ts'

const BUNDLED_MODEL = fileURLToPath(new URL('../../models/static-256/model.bin', import.meta.url))

/** The model that comes with Ken; undefined where a package was made without it. */
export async function openBundledEmbedder(): Promise<Embedder | undefined> {
  if (!existsSync(BUNDLED_MODEL)) return undefined
  const { openStaticEmbedder } = await import('../adapters/embed-static/index.ts')
  return openStaticEmbedder(BUNDLED_MODEL)
}
