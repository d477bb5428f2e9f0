import type { OpenEmbedder } from '../../ports/embedder.ts'
import { openStaticEmbedder } from './index.ts'

/** For another thread. */
export const openEmbedder: OpenEmbedder = openStaticEmbedder
