import { fileURLToPath } from 'node:url'
import type { Embedder } from '../retrieval/ports/embedder.ts'

export const BUNDLED_MODEL = fileURLToPath(new URL('../../models/static-256/model.bin', import.meta.url))

/** The bundled model; undefined if the package was built without it. */
export async function openBundledEmbedder(): Promise<Embedder | undefined> {
  const { bundled } = await import('../retrieval/embed/static/index.ts')
  return bundled.open({ model: '', bundledModel: BUNDLED_MODEL, modelsFolder: '' })
}
