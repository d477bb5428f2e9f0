import type { OpenEmbedder } from '../../ports/embedder.ts'
import { openStaticEmbedder } from './index.ts'

/** Entry point for another thread, which embeds many texts. */
export const openEmbedder: OpenEmbedder = (path) => openStaticEmbedder(path, { forMany: true })
