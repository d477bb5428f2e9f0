import type { OpenEmbedder } from '../../ports/embedder.ts'
import { openStaticEmbedder } from './index.ts'

/** Entry point for another thread. */
export const openEmbedder: OpenEmbedder = openStaticEmbedder
